"""`aiter-lint fix`, `check --fix` and `check --diff`, from the command line's side."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

NAMES = "def make_kernel_repr(base_name, config_keys, name_key=None): ...\n"
BEFORE = """\
import triton
import triton.language as tl
from names import make_kernel_repr

_k_repr = make_kernel_repr("k", ["B", "C"])


@triton.jit(repr=_k_repr)
def k(x, B: tl.constexpr):
    tl.store(x, B)


@triton.jit
def m(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    k[(1,)](x, B=8)
    m[(1,)](x, B=8)
"""
STUB = '_m_repr = make_kernel_repr("m", ["B"])\n\n\n@triton.jit(repr=_m_repr)\n'
AFTER = BEFORE.replace(', "C"', "").replace("@triton.jit\n", STUB)
UNFIXABLE = "import triton\n\n\n@triton.jit(repr='text')\ndef t(x): pass\n\n\nt[(1,)](1)\n"


@pytest.fixture(autouse=True)
def _files(project):
    project.write({"names.py": NAMES, "k.py": BEFORE})


@pytest.mark.parametrize("command", [["fix"], ["check", "--fix"]])
def test_in_place(project, cli, command):
    done = cli(*command)
    assert (done.code, done.err) == (0, "")
    assert "2 fixed" in done.out
    assert project.read("k.py") == AFTER
    again = cli(*command)
    assert (again.code, project.read("k.py")) == (0, AFTER)
    assert "fixed" not in again.out


def test_what_stays_is_told(project, cli):
    project.write({"t.py": UNFIXABLE})
    done = cli("fix", "--output-format", "json")
    assert done.code == 1
    assert done.places == [("t.py", 4, "invalid-base-name")]


def test_only_what_is_named(project, cli):
    project.write({"other.py": BEFORE})
    assert cli("fix", "other.py").code == 0
    assert (project.read("other.py"), project.read("k.py")) == (AFTER, BEFORE)


def test_only_what_is_selected(project, cli):
    cli("fix", "--select", "AIT2")
    assert project.read("k.py") == BEFORE.replace(', "C"', "")


def test_hidden_advice_is_not_fixed(project, cli):
    helper = BEFORE.replace("    m[(1,)](x, B=8)\n", "").replace(', "C"', "").replace(
        "@triton.jit\n", '@triton.jit(repr=make_kernel_repr("m", ["B"]))\n'
    ).replace("    tl.store(x, B)\n\n\n@", "    m(x, B)\n\n\n@", 1)  # fmt: skip
    project.write({"k.py": helper})
    assert cli("fix").code == 0
    assert project.read("k.py") == helper
    cli("fix", "--min-severity", "advice")
    assert project.read("k.py") != helper


def test_exit_non_zero_on_fix(project, cli):
    assert cli("fix", "--exit-non-zero-on-fix").code == 1
    assert cli("fix", "--exit-non-zero-on-fix").code == 0


def test_unsafe_fixes(project, cli):
    unsafe = BEFORE.replace(', "C"', "").replace("k[(1,)](x, B=8)", "k[(1,)](x, B=0.5)")
    project.write({"k.py": unsafe})
    done = cli("fix")
    assert done.code == 1
    assert "--unsafe-fixes" in done.out
    assert 'make_kernel_repr("k", ["B"])' in project.read("k.py")
    assert cli("fix", "--unsafe-fixes").code == 0
    assert 'make_kernel_repr("k", [])' in project.read("k.py")


# --- --diff


def test_diff_changes_nothing(project, cli):
    done = cli("check", "--diff")
    assert done.code == 1
    assert project.read("k.py") == BEFORE
    assert done.err == "aiter-lint: note: 1 file would change, 2 findings would go, 0 would stay\n"
    assert cli("fix", "--diff").out == done.out


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_diff_is_a_patch(project, cli, tmp_path: Path):
    done = cli("check", "--diff")
    (tmp_path / "patch").write_text(done.out)
    subprocess.run(["git", "apply", "patch"], cwd=tmp_path, check=True)
    assert project.read("k.py") == AFTER
    assert cli("check", "--diff").code == 0
    assert cli("check", "--diff").out == ""


def test_diff_of_nothing_still_fails_where_findings_stay(project, cli):
    project.write({"k.py": AFTER, "t.py": UNFIXABLE})
    done = cli("check", "--diff")
    assert (done.code, done.out) == (1, "")
    assert cli("check", "--diff", "--exit-zero").code == 0


def test_diff_in_color(project, cli):
    out = cli("check", "--diff", "--color", "always").out
    assert '\x1b[31m-_k_repr = make_kernel_repr("k", ["B", "C"])\x1b[0m\n' in out


# --- standard input


def test_standard_input(project, cli, monkeypatch, tmp_path: Path):
    (tmp_path / "stdin").write_bytes(BEFORE.replace("\n", "\r\n").encode())
    monkeypatch.setattr("sys.stdin", (tmp_path / "stdin").open(encoding="utf-8"))
    done = cli("fix", "--stdin-filename", "new.py")
    assert done.code == 0
    assert done.out == AFTER.replace("\n", "\r\n")
    assert "2 fixed" in done.err
    assert not (project.root / "new.py").exists()


def test_standard_input_that_needs_nothing_comes_back(cli, monkeypatch, tmp_path: Path):
    (tmp_path / "stdin").write_text("x = 1\n")
    monkeypatch.setattr("sys.stdin", (tmp_path / "stdin").open(encoding="utf-8"))
    assert cli("fix", "--stdin-filename", "new.py").out == "x = 1\n"


# --- trouble


def test_a_file_that_cannot_be_written(project, cli, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    done = cli("fix", "--no-cache")
    assert done.code == 2
    assert done.err == "aiter-lint: error: k.py: not changed: Permission denied\n"
    assert project.read("k.py") == BEFORE
    assert sorted(path.name for path in project.root.iterdir()) == [
        "k.py",
        "names.py",
        "pyproject.toml",
    ]
