"""aiter-lint as a process: pipes, signals, terminals, encodings."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "aiter_lint"]
WRONG = """\
import triton
import triton.language as tl
from names import make_kernel_repr


@triton.jit(repr=make_kernel_repr("größe", ["B", "C"]))
def größe(x, B: tl.constexpr):
    tl.store(x, B)


größe[(1,)](1, B=8)
"""


@pytest.fixture(scope="module")
def bytecode(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bytecode")


@pytest.fixture
def folder(project, bytecode, monkeypatch) -> Path:
    # so that not every process compiles everything anew
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", os.fspath(bytecode))
    project.write(
        {"names.py": "def make_kernel_repr(base_name, config_keys): ...\n", "k.py": WRONG}
    )
    return project.root


def run(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        capture_output=True,
        env={**os.environ, **environment},
        check=False,
    )


def test_as_a_module(folder):
    done = run(folder, "check", "--output-format", "concise")
    assert done.returncode == 1
    assert b"unknown-key" in done.stdout
    assert done.stderr == b""


def test_help_and_version(folder):
    assert run(folder, "--version").stdout.startswith(b"aiter-lint ")
    done = run(folder, "check", "--help")
    assert done.returncode == 0
    assert b"--unsafe-fixes" in done.stdout
    assert run(folder).stdout == run(folder, "--help").stdout


@pytest.mark.parametrize("format_", ["full", "json", "sarif"])
def test_a_terminal_without_utf8(folder, format_):
    done = run(
        folder, "check", "--output-format", format_, PYTHONIOENCODING="ascii", PYTHONUTF8="0"
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr == b""
    if format_ == "full":
        assert rb"gr\xf6\xdfe" in done.stdout
    else:
        assert "größe" in done.stdout.decode("utf-8")


def test_paths_that_are_no_text(folder):
    name = os.fsdecode(b"caf\xe9.py")
    (folder / name).write_text("x = 1\n")
    done = run(folder, "check", "--exit-zero")
    assert (done.returncode, done.stderr) == (
        0,
        b"aiter-lint: note: caf\\udce9.py: the name is not in UTF-8: not read\n",
    )
    done = run(folder, "check", name)
    assert done.returncode == 2
    assert done.stderr == b"aiter-lint: error: caf\\udce9.py: the name is not in UTF-8\n"


@pytest.mark.parametrize("command", [["check"], ["check", "--output-format", "json"], ["rules"]])
def test_a_reader_that_leaves(folder, command):
    """As in `aiter-lint check | head -1`: no word about it, and the same exit code."""
    expected = run(folder, *command).returncode
    read, write = os.pipe()
    os.close(read)
    process = subprocess.Popen(
        [*COMMAND, *command], cwd=folder, stdout=write, stderr=subprocess.PIPE
    )
    os.close(write)
    _, err = process.communicate()
    assert (process.returncode, err) == (expected, b"")


SLEEPY = """
import sys, time
from aiter_lint.read import files
def sleep(root, path):
    print("asleep", flush=True)
    time.sleep(60)
files.read_bytes = sleep
files.WORTH_A_PROCESS = 1
from aiter_lint.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt(folder, jobs):
    process = subprocess.Popen(
        [sys.executable, "-c", SLEEPY, "check", "-j", jobs],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout.readline() == b"asleep\n"
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err.lstrip()) == (130, b"aiter-lint: error: interrupted\n")


def on_terminal(folder: Path, *arguments: str, code: str | None = None, **environment: str) -> str:
    """What a terminal shows."""
    master, slave = pty.openpty()
    command = COMMAND if code is None else [sys.executable, "-c", code]
    process = subprocess.Popen(
        [*command, *arguments],
        cwd=folder,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm", **environment},
    )
    os.close(slave)
    shown = b""
    while True:
        ready, _, _ = select.select([master], [], [], 60)
        try:
            piece = os.read(master, 65536) if ready else b""
        except OSError:  # Linux says so when the other end is closed
            piece = b""
        if not piece:
            break
        shown += piece
    os.close(master)
    process.wait()
    return shown.decode("utf-8")


def test_colors_on_a_terminal(folder):
    assert "\x1b[1;31merror" in on_terminal(folder, "check")
    assert "\x1b[" not in on_terminal(folder, "check", NO_COLOR="1")
    assert "\x1b[" not in on_terminal(folder, "check", TERM="dumb")


SLOW = """
import sys, time
from aiter_lint.read import files
read = files.read_bytes
def slow(root, path):
    time.sleep(0.8)
    return read(root, path)
files.read_bytes = slow
from aiter_lint.__main__ import main
sys.exit(main(sys.argv[1:]))
"""


def test_a_bar_for_runs_that_take_long(folder):
    for name in ("a.py", "b.py"):
        (folder / name).write_text("")
    assert "Reading" in on_terminal(folder, "check", code=SLOW)
    assert "Reading" not in on_terminal(folder, "check")
    done = subprocess.run(
        [sys.executable, "-c", SLOW, "check"], cwd=folder, capture_output=True, check=False
    )
    assert done.stderr == b""


def test_completion(folder):
    done = run(folder, _AITER_LINT_COMPLETE="bash_source")
    assert b"_AITER_LINT_COMPLETE=bash_complete" in done.stdout
    done = run(
        folder, _AITER_LINT_COMPLETE="bash_complete", COMP_WORDS="aiter-lint ch", COMP_CWORD="1"
    )
    assert b"check" in done.stdout
