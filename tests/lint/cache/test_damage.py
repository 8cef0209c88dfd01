"""A cache that is damaged, foreign, stale or can't be written is as good as none."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aiter_lint.cache.answer import known_answer
from aiter_lint.cache.folder import Folder

FILES = {
    "names.py": "def make_kernel_repr(base_name, config_keys, name_key=None): ...\n",
    "k.py": """\
import triton
import triton.language as tl
from names import make_kernel_repr

_k_repr = make_kernel_repr("k", ["BLOCK", "BLCK"])


@triton.jit(repr=_k_repr)
def k(x, BLOCK: tl.constexpr):
    tl.store(x, BLOCK)


def size():
    return 8


def run(x):
    k[(1,)](x, BLOCK=size())
""",
}


@pytest.fixture
def filled(project, cli):
    """A project with a full cache, and what a run says."""
    project.write(FILES)
    time.sleep(0.05)
    said = cli("check")
    assert known_answer(["check"]) is not None
    return project, said


def stored(project, kind: str) -> Path:
    [path] = (project.root / ".aiter_lint_cache").glob(f"{kind}-*")
    return path


DAMAGE = {
    "empty": lambda data: b"",
    "first half": lambda data: data[: len(data) // 2],
    "last byte gone": lambda data: data[:-1],
    "a byte more": lambda data: data + b"x",
    "noise": lambda data: os.urandom(len(data)),
    "noise behind the name": lambda data: data[:20] + os.urandom(len(data)),
    "pickle": lambda data: b"\x80\x04\x8c\x05posix\x8c\x06system\x93\x8c\x04true\x85R.",
    "another version": lambda data: data.replace(b" 1\n", b" 2\n", 1),
    "deep msgpack": lambda data: data[:35] + b"\x91" * 100_000,
    "huge numbers": lambda data: data[:20] + b"9" * 10_000 + data[20:],
}


@pytest.mark.parametrize("kind", ["answer", "facts"])
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=list(DAMAGE))
def test_damage(filled, cli, kind, damage):
    project, said = filled
    path = stored(project, kind)
    path.write_bytes(damage(path.read_bytes()))
    if kind == "facts":
        stored(project, "answer").unlink()
    assert cli("check") == said
    assert cli("check") == said


@pytest.mark.parametrize("kind", ["answer", "facts"])
def test_every_flipped_byte_is_seen(filled, cli, kind):
    """Or makes no difference."""
    project, said = filled
    path = stored(project, kind)
    whole = path.read_bytes()
    answer = stored(project, "answer")
    for place in range(0, len(whole), max(1, len(whole) // 60)):
        changed = bytearray(whole)
        changed[place] ^= 0x15
        path.write_bytes(changed)
        if kind == "facts":
            answer.unlink(missing_ok=True)
        assert cli("check") == said


def test_a_folder_that_cannot_be_made(project, cli):
    project.write({**FILES, ".aiter_lint_cache": "a file"})
    first, second = cli("check"), cli("check")
    assert first == second and first.code == 1
    assert project.read(".aiter_lint_cache") == "a file"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_folder_that_is_read_only(filled, cli):
    project, said = filled
    folder = project.root / ".aiter_lint_cache"
    folder.chmod(0o500)
    try:
        project.write({"k.py": FILES["k.py"] + "\n"})
        assert cli("check") == said
    finally:
        folder.chmod(0o700)


def test_writes_that_fail(filled, cli, monkeypatch):
    project, said = filled
    before = {p.name for p in (project.root / ".aiter_lint_cache").iterdir()}

    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refuse)
    project.write({"k.py": FILES["k.py"] + "\n"})
    assert cli("check") == said
    assert {p.name for p in (project.root / ".aiter_lint_cache").iterdir()} == before


def test_the_answer_is_no_link(filled, cli, tmp_path_factory):
    project, said = filled
    path = stored(project, "answer")
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "answer"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert known_answer(["check"]) is None
    assert cli("check") == said


def test_no_cache_makes_no_folder(project, cli):
    project.write(FILES)
    cli("check", "--no-cache")
    assert not (project.root / ".aiter_lint_cache").exists()


def test_a_cache_elsewhere(project, cli, tmp_path_factory):
    project.write(FILES)
    folder = tmp_path_factory.mktemp("cache") / "deep" / "er"
    time.sleep(0.05)
    said = cli("check", "--cache-dir", folder)
    assert not (project.root / ".aiter_lint_cache").exists()
    assert known_answer(["check", "--cache-dir", os.fspath(folder)]) is not None
    assert known_answer(["check", f"--cache-dir={folder}"]) is None  # another command line
    assert cli("check", "--cache-dir", folder) == said


@pytest.mark.parametrize("line", ['cache-dir = "made/cache"', "cache-dir='made/cache'  # here"])
def test_a_cache_where_the_settings_say(project, cli, line):
    project.write({**FILES, "pyproject.toml": f"[tool.aiter_lint]\n{line}\n"})
    time.sleep(0.05)
    said = cli("check")
    assert not (project.root / ".aiter_lint_cache").exists()
    assert known_answer(["check"]) is not None
    assert cli("check") == said


def test_what_a_killed_run_leaves_is_swept(filled):
    project, _ = filled
    folder = project.root / ".aiter_lint_cache"
    old, new = folder / "facts-x.1.tmp", folder / "facts-x.2.tmp"
    old.write_text("half")
    new.write_text("half of a run that goes on")
    os.utime(old, (1, 1))
    Folder(os.fspath(folder)).write("facts-y", b"")
    assert not old.exists() and new.exists()


def test_few_answers_are_kept(filled):
    project, _ = filled
    folder = Folder(os.fspath(project.root / ".aiter_lint_cache"))
    for number in range(50):
        folder.write(f"answer-{number}", b"")
    assert len(list((project.root / ".aiter_lint_cache").glob("answer-*"))) == 32


def test_runs_at_once_do_each_other_no_harm(project, cli):
    project.write(FILES)
    time.sleep(0.05)
    command = [sys.executable, "-m", "aiter_lint", "check"]
    runs = [
        subprocess.Popen(command, cwd=project.root, stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    said = {(process.communicate()[0], process.returncode) for process in runs}
    assert len(said) == 1
    assert (cli("check").out, 1) in said
