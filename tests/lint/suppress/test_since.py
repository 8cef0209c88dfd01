"""`--since REV`: only what the change brought."""

from __future__ import annotations

import os
import subprocess

import pytest

NAMES = "def make_kernel_repr(base_name, config_keys, name_key=None): ...\n"
MODULE = """\
import triton
import triton.language as tl


@triton.jit
def k(
    x,
    B: tl.constexpr,
):
    tl.store(x, B)


@triton.jit
def m(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    k[(1,)](x, B=8)
    m[(1,)](x, B=8)
"""


def git(project, *arguments: str) -> str:
    environment = {
        **os.environ,
        "GIT_AUTHOR_NAME": "a",
        "GIT_AUTHOR_EMAIL": "a@b",
        "GIT_COMMITTER_NAME": "a",
        "GIT_COMMITTER_EMAIL": "a@b",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    return subprocess.run(
        ["git", *arguments], cwd=project.root, env=environment, check=True, capture_output=True,
        text=True,
    ).stdout  # fmt: skip


@pytest.fixture
def repository(project):
    """A repository with two kernels without repr, all committed."""
    project.write({"names.py": NAMES, "pkg/k.py": MODULE})
    git(project, "init", "-q", "-b", "main")
    git(project, "add", ".")
    git(project, "commit", "-qm", "first")
    return project


def kernels(cli, revision: str = "HEAD", **options) -> list[str]:
    done = cli("check", "--since", revision, "--output-format", "json", **options)
    assert done.code in (0, 1), done.err
    return sorted({finding["kernel"] for finding in done.json})


def edit(project, old: str, new: str, path: str = "pkg/k.py") -> None:
    text = project.read(path)
    assert old in text
    project.write({path: text.replace(old, new, 1)})


def test_nothing_changed(repository, cli):
    assert kernels(cli) == []
    assert cli("check", "--since", "HEAD").code == 0
    assert cli("check").code == 1


def test_a_change_elsewhere_in_the_file(repository, cli):
    edit(repository, "    tl.store(x, B)\n", "    tl.store(x, B + 1)\n")
    assert kernels(cli) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@triton.jit\ndef k", "@triton.jit()\ndef k"),
        ("    x,\n    B", "    x,\n    y,\n    B"),
        ("    x,\n    B: tl.constexpr,\n", "    x, B: tl.constexpr,\n"),
        ("    B: tl.constexpr,\n", "    B: tl.constexpr\n"),
        ("    k[(1,)](x, B=8)", "    k[(2,)](x, B=8)"),
    ],
    ids=["the place", "signature grown", "lines joined", "signature", "related place"],
)
def test_a_change_to_the_kernel(repository, cli, old, new):
    edit(repository, old, new)
    assert kernels(cli) == ["k"]


def test_a_line_removed_inside_the_head(repository, cli):
    edit(repository, "    x,\n", "")
    assert kernels(cli) == ["k"]


def test_a_line_removed_above_the_head(repository, cli):
    edit(repository, "\n\n@triton.jit\ndef k", "\n@triton.jit\ndef k")
    assert kernels(cli) == []


def test_a_new_file(repository, cli):
    repository.write({"new.py": MODULE.replace("k", "n").replace("m(", "o(").replace("m[", "o[")})
    done = cli("check", "--since", "HEAD", "--output-format", "json")
    assert {finding["path"] for finding in done.json} == {"new.py"}


def test_committed_changes_count(repository, cli):
    git(repository, "tag", "before")
    edit(repository, "@triton.jit\ndef m", "@triton.jit()\ndef m")
    git(repository, "commit", "-qam", "second")
    assert kernels(cli, "before") == ["m"]
    assert kernels(cli, "HEAD") == []


def test_what_others_did_meanwhile_does_not_count(repository, cli):
    git(repository, "checkout", "-qb", "feature")
    git(repository, "checkout", "-q", "main")
    edit(repository, "@triton.jit\ndef m", "@triton.jit()\ndef m")
    git(repository, "commit", "-qam", "meanwhile")
    git(repository, "checkout", "-q", "feature")
    edit(repository, "@triton.jit\ndef k", "@triton.jit()\ndef k")
    git(repository, "commit", "-qam", "ours")
    assert kernels(cli, "main") == ["k"]


def test_from_below_the_root(repository, cli):
    edit(repository, "@triton.jit\ndef k", "@triton.jit()\ndef k")
    assert kernels(cli, cwd="pkg") == ["k"]


@pytest.mark.parametrize(
    "name", ["größe.py", "a b.py", 'qu"ote.py', "tab\there.py", "back\\slash.py"]
)
def test_odd_names(repository, cli, name):
    repository.write({name: MODULE})
    git(repository, "add", ".")
    git(repository, "commit", "-qm", "odd")
    edit(repository, "@triton.jit\ndef k", "@triton.jit()\ndef k", name)
    assert kernels(cli) == ["k"]


def test_configuration_that_changes_diffs(repository, cli):
    for key, value in [
        ("diff.noprefix", "true"),
        ("diff.mnemonicPrefix", "true"),
        ("diff.external", "false"),
        ("color.ui", "always"),
        ("diff.interHunkContext", "99"),
    ]:
        git(repository, "config", key, value)
    edit(repository, "@triton.jit\ndef k", "@triton.jit()\ndef k")
    assert kernels(cli) == ["k"]


def test_fixes_only_what_the_change_brought(repository, cli):
    edit(repository, "@triton.jit\ndef m", "@triton.jit()\ndef m")
    assert cli("fix", "--since", "HEAD").code == 0
    assert 'make_kernel_repr("m", ["B"])' in repository.read("pkg/k.py")
    assert 'make_kernel_repr("k"' not in repository.read("pkg/k.py")


@pytest.mark.parametrize("revision", ["no-such-branch", "--output=x", "", "HEAD:names.py"])
def test_an_unknown_revision(repository, cli, revision):
    done = cli("check", f"--since={revision}")
    assert done.code == 2
    assert done.err == f'aiter-lint: error: --since: git knows no revision "{revision}"\n'


def test_outside_a_repository(project, cli, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", os.fspath(project.root.parent))
    done = cli("check", "--since", "HEAD")
    assert done.code == 2
    assert "is not in a git repository" in done.err


def test_without_git(repository, cli, monkeypatch):
    monkeypatch.setenv("PATH", os.fspath(repository.root))
    done = cli("check", "--since", "HEAD")
    assert done.code == 2
    assert done.err.startswith("aiter-lint: error: --since: git can't be run: ")
