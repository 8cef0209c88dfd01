"""Which files make up a project."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from aiter_lint.discover import Scope, discover, tree


def found(project, **options) -> list[str]:
    return list(discover(os.path.realpath(project.root), **options).python)


def test_python_and_json_files_sorted(project):
    project.write(
        {"b/y.py": "", "a.py": "", "b/x.py": "", "b/c.json": "{}", "b/d.pyi": "", "e": ""}
    )
    result = discover(os.path.realpath(project.root))
    assert list(result.python) == ["a.py", "b/x.py", "b/y.py"]
    assert result.json == ("b/c.json",)
    assert result.python["a.py"].st_size == 0
    assert (result.problems, result.notes) == ((), ())


@pytest.mark.parametrize(
    ("folder", "path"),
    [
        (".venv", ".venv/x.py"),
        ("node_modules", "node_modules/p/x.py"),
        ("__pycache__", "a/__pycache__/x.py"),
        ("build", "build/lib/x.py"),
    ],
)
def test_folders_that_never_hold_own_code(project, folder, path):
    project.write({path: ""})
    assert found(project) == []
    assert found(project, exclude=["!" + folder]) == [path]


def test_a_package_called_build_is_read(project):
    project.write({"pkg/build/x.py": "", "pkg/dist/x.py": ""})
    assert found(project) == ["pkg/build/x.py", "pkg/dist/x.py"]


def test_what_a_build_makes_is_not(project):
    project.write({"sub/setup.py": "", "sub/build/x.py": "", "dist/x.py": ""})
    assert found(project) == ["sub/setup.py"]


def test_a_virtual_environment_of_any_name(project):
    project.write({"env311/pyvenv.cfg": "", "env311/lib/x.py": "", "a.py": ""})
    assert found(project) == ["a.py"]


def test_gitignore(project):
    project.write(
        {
            ".gitignore": "*_gen.py\n/out/\n",
            "a.py": "",
            "a_gen.py": "",
            "out/x.py": "",
            "pkg/out/x.py": "",
            "pkg/.gitignore": "!keep_gen.py\nx.py\n",
            "pkg/keep_gen.py": "",
            "pkg/other_gen.py": "",
            "pkg/x.py": "",
        }
    )
    assert found(project) == ["a.py", "pkg/keep_gen.py"]


def test_nothing_comes_back_out_of_an_ignored_folder(project):
    project.write({".gitignore": "out/\n!out/x.py\n", "out/x.py": ""})
    assert found(project) == []


def test_gitignore_of_the_repository_around_the_project(project):
    project.write(
        {
            ".git/info/exclude": "local.py\n",
            ".gitignore": "gen/\n/sub/here.py\n",
            "sub/gen/x.py": "",
            "sub/here.py": "",
            "sub/local.py": "",
            "sub/a.py": "",
        }
    )
    assert list(discover(os.path.realpath(project.root / "sub")).python) == ["a.py"]


def test_nothing_above_the_repository_counts(project):
    project.write({".gitignore": "a.py\n", "sub/.git/HEAD": "", "sub/a.py": ""})
    assert list(discover(os.path.realpath(project.root / "sub")).python) == ["a.py"]


def test_git_exclude_is_weaker_than_gitignore(project):
    project.write(
        {".git/info/exclude": "a.py\nb.py", ".gitignore": "!a.py", "a.py": "", "b.py": ""}
    )
    assert found(project) == ["a.py"]


def test_exclude_comes_before_everything(project):
    project.write(
        {".gitignore": "gen/\n", "gen/x.py": "", "tests/x.py": "", "a/b.py": "", "c.py": ""}
    )
    assert found(project, exclude=["tests", "!gen", "a/*.py"]) == ["c.py", "gen/x.py"]


def test_a_project_inside_the_project_is_left_to_itself(project):
    project.write({"a.py": "", "in/pyproject.toml": "[tool.aiter_lint]\n", "in/x.py": ""})
    result = discover(os.path.realpath(project.root))
    assert list(result.python) == ["a.py"]
    assert result.notes == ("in is a project of its own: not read",)


def test_a_pyproject_without_our_table_makes_no_project(project):
    project.write({"in/pyproject.toml": "[tool.black]\n", "in/x.py": ""})
    assert found(project) == ["in/x.py"]


# --- what is named


def test_what_is_excluded_but_named_is_read(project):
    project.write(
        {"tests/x.py": "", "tests/y.py": "", "tests/gen/z.py": "", "tests/.gitignore": "gen"}
    )
    root = os.path.realpath(project.root)
    options = {"exclude": ["tests"], "named": [f"{root}/tests/x.py"]}
    assert found(project, **options) == ["tests/x.py"]
    options["named"] = [f"{root}/tests"]
    assert found(project, **options) == ["tests/x.py", "tests/y.py"]
    assert found(project, **options, force=True) == []


def test_a_script_without_ending_is_read_where_it_is_named(project):
    project.write({"run": "", "notes.md": "", "types.pyi": ""})
    root = os.path.realpath(project.root)
    named = [f"{root}/run", f"{root}/notes.md", f"{root}/types.pyi"]
    assert found(project, named=named) == ["run"]


def test_only_a_part_is_read(project):
    project.write({"a/b/x.py": "", "a/b/y.py": "", "c/x.py": "", "a/.gitignore": "y.py"})
    assert found(project, start="a/b") == ["a/b/x.py"]


def test_scope(project):
    project.write({"a/b/x.py": "", "a/bc/x.py": "", "y.py": ""})
    root = os.path.realpath(project.root)
    scope = Scope(root, [f"{root}/a/b", f"{root}/y.py"])
    assert [p in scope for p in ("a/b/x.py", "a/bc/x.py", "y.py", "z.py")] == [
        True,
        False,
        True,
        False,
    ]
    assert "anything" in Scope(root, [root, f"{root}/y.py"])


# --- what is no plain file


def test_links_inside_the_project_are_not_read_twice(project):
    project.write({"pkg/x.py": ""})
    (project.root / "alias").symlink_to("pkg")
    (project.root / "y.py").symlink_to("pkg/x.py")
    result = discover(os.path.realpath(project.root))
    assert list(result.python) == ["pkg/x.py"]
    assert result.notes == ()


def test_links_that_lead_nowhere_good_are_said(project, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "x.py").write_text("")
    project.write({"pkg/x.py": ""})
    (project.root / "pkg/loop").symlink_to("..")
    (project.root / "away").symlink_to(outside)
    (project.root / "away.py").symlink_to(outside / "x.py")
    (project.root / "gone.py").symlink_to("nowhere.py")
    (project.root / "self.py").symlink_to("self.py")
    (project.root / "data.bin").symlink_to(outside / "x.py")
    result = discover(os.path.realpath(project.root))
    assert list(result.python) == ["pkg/x.py"]
    assert result.notes == (
        "away is a symbolic link out of the project: not read",
        "away.py is a symbolic link out of the project: not read",
        "gone.py is a symbolic link to nothing: not read",
        "pkg/loop is a symbolic link to a folder around it: not read",
        "self.py is a symbolic link to nothing: not read",
    )


def test_an_ignored_link_is_not_worth_a_word(project):
    project.write({".gitignore": "bazel-*\n"})
    (project.root / "bazel-out").symlink_to("/")
    assert discover(os.path.realpath(project.root)).notes == ()


def test_pipes_and_sockets(project, monkeypatch):
    monkeypatch.chdir(project.root)
    os.mkfifo("pipe.py")
    server = socket.socket(socket.AF_UNIX)
    server.bind("socket.py")
    server.close()
    os.mkfifo("pipe")
    result = discover(os.path.realpath(project.root))
    assert result.python == {}
    assert result.notes == (
        "pipe.py is no regular file: not read",
        "socket.py is no regular file: not read",
    )


def test_a_folder_that_cannot_be_read_is_a_problem(project, monkeypatch):
    project.write({"a.py": "", "shut/x.py": ""})
    scandir = os.scandir

    def refuse(path):
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(tree.os, "scandir", refuse)
    result = discover(os.path.realpath(project.root))
    assert list(result.python) == ["a.py"]
    assert result.problems == ("shut: can't be read: Permission denied",)


@pytest.mark.skipif(sys.platform != "linux", reason="other file systems refuse such names")
def test_a_name_that_is_no_text(project):
    (project.root / os.fsdecode(b"caf\xe9.py")).write_text("")
    result = discover(os.path.realpath(project.root))
    assert result.python == {}
    assert result.notes == ("caf\\udce9.py: the name is not in UTF-8: not read",)


def test_a_deep_tree(project):
    deep = "/".join(["d"] * 400)
    project.write({f"{deep}/x.py": ""})
    assert found(project) == [f"{deep}/x.py"]


def test_pathspec_is_loaded_for_real_globs_only(project):
    project.write({".gitignore": "*.py[cod]\n__pycache__/\n/build\n*.so\n", "a.py": ""})
    code = (
        "import sys; from aiter_lint.discover import discover;"
        f"assert list(discover({os.path.realpath(project.root)!r}).python) == ['a.py'];"
        "sys.exit('pathspec' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
