"""The cache changes how fast an answer comes, never what it says."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from aiter_lint.cache import answer
from aiter_lint.pipeline import stages
from aiter_lint.read import files
from aiter_lint.read.reader import read_file

NAMES = "def make_kernel_repr(base_name, config_keys, name_key=None): ...\n"
KERNEL = """\
import triton
import triton.language as tl
from names import make_kernel_repr

_k_repr = make_kernel_repr("k", ["BLOCK", "BLCK"])


@triton.jit(repr=_k_repr)
def k(x, BLOCK: tl.constexpr):
    tl.store(x, BLOCK)
"""
LAUNCH = "from pkg.k import k\n\n\ndef run(x):\n    k[(1,)](x, BLOCK=8)\n"
CLEAN = KERNEL.replace(', "BLCK"', "")
OTHER = KERNEL.replace("BLCK", "BLKC")  # of the same size


@pytest.fixture
def small(project, monkeypatch):
    monkeypatch.setattr(files, "WORTH_A_PROCESS", 400)  # so that -j 2 is two processes
    return project.write({"names.py": NAMES, "pkg/__init__.py": "", "pkg/k.py": KERNEL,
                          "pkg/launch.py": LAUNCH})  # fmt: skip


def settled() -> None:
    """Wait until a change would show in the file system's clock."""
    time.sleep(0.05)


def all_ways(cli, *arguments: str, cwd: str = ".") -> list:
    """What a run says with the cache as it is, once more, and without one in one process and
    in two."""
    settled()
    return [
        cli("check", *arguments, cwd=cwd),
        cli("check", *arguments, cwd=cwd),
        cli("check", *arguments, "--no-cache", "-j", "1", cwd=cwd),
        cli("check", *arguments, "--no-cache", "-j", "2", cwd=cwd),
    ]


def says(cli, *arguments: str, cwd: str = "."):
    """The one thing that all ways say."""
    first, *others = all_ways(cli, *arguments, cwd=cwd)
    for other in others:
        assert other == first
    return first


FORMATS = ("full", "concise", "json", "jsonl", "sarif", "github", "gitlab", "junit", "rdjson")


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format(small, cli, format_):
    assert says(cli, "--output-format", format_).code == 1


def test_statistics_and_notes(small, cli):
    (small.root / "pkg/out.py").symlink_to("/etc/hosts")
    done = says(cli, "--statistics", "--output-format", "json")
    assert "Findings by rule" in done.err and "is a symbolic link" in done.err


def test_a_changed_file(small, cli):
    assert "BLCK" in says(cli).out
    small.write({"pkg/k.py": CLEAN})
    assert says(cli).code == 0
    small.write({"pkg/k.py": KERNEL})
    assert "BLCK" in says(cli).out


def test_a_file_with_the_same_size_and_mtime_and_other_content(small, cli):
    """On file systems that keep ctime and inodes - those of Linux and macOS - nobody can put
    those back."""
    assert "BLCK" in says(cli).out
    path = small.root / "pkg/k.py"
    before = path.stat()
    path.write_text(OTHER)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = path.stat()
    assert (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert "BLKC" in says(cli).out


def test_a_file_changed_right_after_it_was_read(small, cli):
    """Within a tick of the file system's clock nothing may tell the change."""
    for number in range(12):
        small.write({"pkg/k.py": (KERNEL, OTHER)[number % 2]})
        assert ("BLCK", "BLKC")[number % 2] in cli("check").out


def test_a_moved_file(small, cli):
    assert "pkg/k.py:5" in says(cli).out
    small.write({"pkg/launch.py": LAUNCH.replace("pkg.k", "pkg.moved")})
    (small.root / "pkg/k.py").rename(small.root / "pkg/moved.py")
    done = says(cli)
    assert "pkg/moved.py:5" in done.out and "pkg/k.py" not in done.out


def test_files_that_change_places(small, cli):
    small.write({"a.py": KERNEL.replace("BLCK", "AAAA"), "b.py": KERNEL.replace("BLCK", "BBBB")})
    says(cli)
    for old, new in (("a.py", "c.py"), ("b.py", "a.py"), ("c.py", "b.py")):
        (small.root / old).rename(small.root / new)
    places = {(found["path"], found["key"]) for found in says(cli, "--output-format", "json").json}
    assert {("a.py", "BBBB"), ("b.py", "AAAA")} <= places


def test_a_deleted_file(small, cli):
    says(cli)
    (small.root / "pkg/k.py").unlink()
    assert says(cli).code == 0


def test_an_added_file(small, cli):
    small.write({"pkg/k.py": CLEAN})
    assert says(cli).code == 0
    small.write({"pkg/new/deep/k2.py": KERNEL})
    assert "pkg/new/deep/k2.py" in says(cli).out


def test_a_file_that_is_ignored_from_now_on(small, cli):
    assert says(cli).code == 1
    small.write({".gitignore": "k.py\n"})
    assert says(cli).code == 0
    small.write({".gitignore": "x.py\n"})
    assert says(cli).code == 1
    small.write({"pkg/.gitignore": "k.py\n"})
    assert says(cli).code == 0


def test_a_folder_that_becomes_a_project_of_its_own(small, cli):
    small.write({"pkg/pyproject.toml": "[tool.other]\n"})
    assert says(cli).code == 1
    small.write({"pkg/pyproject.toml": "[tool.aiter_lint]\n"})
    assert "project of its own" in says(cli).err


def test_changed_settings(small, cli):
    assert says(cli).code == 1
    small.write({"pyproject.toml": '[tool.aiter_lint]\nignore = ["unknown-key"]\n'})
    assert says(cli).code == 0
    small.write({"pyproject.toml": '[tool.aiter_lint]\nselect = ["unknown-key"]\n'})
    assert says(cli).code == 1


class Counted:
    """Reads files, and tells which."""

    def __init__(self) -> None:
        self._paths: set[str] = set()

    def __call__(self, path: str, data: bytes):
        self._paths.add(path)
        return read_file(data)

    def take(self) -> set[str]:
        """The paths since the last time."""
        paths, self._paths = self._paths, set()
        return paths


def test_settings_of_an_own_jit(small, cli, monkeypatch):
    """The names of jit decorators decide what the facts of a file are."""
    monkeypatch.setattr(files, "WORTH_A_PROCESS", 1_000_000)
    counted = Counted()
    monkeypatch.setattr(stages, "reader", lambda settings: counted)
    settled()
    cli("check")
    assert "pkg/k.py" in counted.take()
    small.write({"pyproject.toml": '[tool.aiter_lint]\njit-decorators = ["deco.launchable"]\n'})
    cli("check")
    assert "pkg/k.py" in counted.take()
    cli("check", "--statistics")
    assert counted.take() == set()


def test_other_settings_file(small, cli):
    small.write({"other.toml": '[tool.aiter_lint]\nignore = ["unknown-key"]\n'})
    assert says(cli, "--config", "other.toml").code == 0
    small.write({"other.toml": "[tool.aiter_lint]\n"})
    assert says(cli, "--config", "other.toml").code == 1


def test_other_arguments(small, cli):
    assert says(cli).code == 1
    assert says(cli, "names.py").code == 0
    assert says(cli, "--exit-zero").code == 0
    assert says(cli, "--ignore", "unknown-key").code == 0


def test_other_folders(small, cli):
    assert "--> pkg/k.py:5" in says(cli).out
    assert "--> k.py:5" in says(cli, cwd="pkg").out
    assert "--> pkg/k.py:5" in says(cli).out


def test_a_baseline_that_comes_and_goes(small, cli):
    assert says(cli).code == 1
    assert cli("baseline").code == 0
    assert says(cli).code == 0
    (small.root / "aiter-lint-baseline.json").unlink()
    assert says(cli).code == 1


def test_a_json_file_that_the_linter_reads(small, cli):
    small.write({
        "pyproject.toml": '[tool.aiter_lint]\nconfig-loaders = {"load.get" = "cfg/*.json"}\n',
        "load.py": "def get(name): return unknown(name)\n",
        "pkg/k.py": CLEAN,
        "pkg/launch.py": "from load import get\nfrom pkg.k import k\n\n\n"
                         "def run(x):\n    k[(1,)](x, **get('a'))\n",
        "cfg/a.json": '{"any": {"BLOCK": 64}}',
    })  # fmt: skip
    assert says(cli).code == 0
    small.write({"cfg/a.json": '{"any": {"BLOCK": 0.5}}'})
    assert "float-key-value" in says(cli).out
    (small.root / "cfg/a.json").unlink()
    assert says(cli).code == 0


def test_colour_is_part_of_the_question(small, cli, monkeypatch):
    plain = says(cli).out
    monkeypatch.setenv("FORCE_COLOR", "1")
    painted = says(cli).out
    assert "\x1b[" in painted and "\x1b[" not in plain
    monkeypatch.delenv("FORCE_COLOR")
    assert says(cli).out == plain


def test_a_file_that_fails_is_told_each_time(small, cli):
    small.write({"pkg/bad.py": "def f(:\n"})
    assert "invalid-syntax" in says(cli).out


def test_standard_input_is_read_each_time(small, cli, monkeypatch):
    import io
    import sys

    for text, code in ((CLEAN, 0), (KERNEL, 1), (CLEAN, 0)):
        stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
        monkeypatch.setattr(sys, "stdin", stdin)
        settled()
        assert cli("check", "--stdin-filename", "pkg/k.py").code == code


def test_output_files_are_written_each_time(small, cli):
    for _ in range(2):
        settled()
        cli("check", "--output-format", "json", "--output-file", "out.json")
        (small.root / "out.json").unlink()


def test_fixes_are_applied_although_the_answer_is_known(small, cli):
    says(cli)
    assert cli("fix").code == 0
    assert "BLCK" not in small.read("pkg/k.py")
    assert says(cli).code == 0


def test_a_link_that_a_path_goes_through(small, cli):
    small.write({"pkg2/k.py": CLEAN, "pkg2/__init__.py": ""})
    link = small.root / "named"
    link.symlink_to("pkg")
    assert says(cli, "named").code == 1
    link.unlink()
    link.symlink_to("pkg2")
    assert says(cli, "named").code == 0


def test_a_copied_project_brings_no_answer(small, cli, tmp_path_factory, monkeypatch, capfd):
    says(cli)
    copy = tmp_path_factory.mktemp("elsewhere") / "copy"
    shutil.copytree(small.root, copy)
    (copy / "pkg/k.py").write_text(CLEAN)
    os.utime(copy / "pkg/k.py", ns=(1, (small.root / "pkg/k.py").stat().st_mtime_ns))
    from aiter_lint.__main__ import main

    monkeypatch.chdir(copy)
    assert main(["check"]) == 0


def test_the_second_run_is_an_answer_and_the_third_too(small, cli):
    settled()
    cli("check")
    for _ in range(2):
        assert answer.known_answer(["check"]) is not None
    assert answer.known_answer(["check", "--no-cache"]) is None
    assert answer.known_answer(["check", "pkg"]) is None
    small.write({"names.py": NAMES + "\n"})
    assert answer.known_answer(["check"]) is None


def test_only_the_changed_file_is_read(small, cli, monkeypatch):
    monkeypatch.setattr(files, "WORTH_A_PROCESS", 1_000_000)
    counted = Counted()
    monkeypatch.setattr(stages, "reader", lambda settings: counted)
    settled()
    cli("check")
    assert counted.take() == {"names.py", "pkg/__init__.py", "pkg/k.py", "pkg/launch.py"}
    small.write({"pkg/k.py": CLEAN})
    settled()
    cli("check")
    assert counted.take() == {"pkg/k.py"}
    (small.root / "pkg/k.py").rename(small.root / "pkg/k2.py")
    cli("check")
    assert counted.take() == set()
    cli("kernels")
    cli("check", "--no-cache")
    assert "names.py" in counted.take()
    assert Path(small.root / ".aiter_lint_cache/.gitignore").read_text().endswith("*\n")
