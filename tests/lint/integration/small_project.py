"""A small project in a real git repository, and the linter as a program."""

import os
import stat
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

NAMES = "def make_kernel_repr(base_name, config_keys, name_key=None): ...\n"

CLEAN = """\
import triton
import triton.language as tl

from names import make_kernel_repr

_add_repr = make_kernel_repr("add", ["BLOCK"])


@triton.jit(repr=_add_repr)
def add(x, BLOCK: tl.constexpr):
    tl.store(x, BLOCK)
"""

BARE = """\
import triton
import triton.language as tl


@triton.jit
def scale(x, BLOCK: tl.constexpr):
    tl.store(x, BLOCK)
"""

LAUNCHES = """\
from kernels.add import add
from kernels.scale import scale


def run(x):
    add[(1,)](x, BLOCK=8)
    scale[(1,)](x, BLOCK=8)
"""

FILES = {
    "pyproject.toml": '[tool.aiter_lint]\nexclude = ["vendored/"]\n',
    ".gitignore": ".aiter_lint_cache/\n",
    "names.py": NAMES,
    "kernels/add.py": CLEAN,
    "layer.py": LAUNCHES,
}


def program(folder: Path) -> Path:
    """A folder for PATH that holds `aiter-lint`: the linter of this checkout."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "aiter-lint"
    script.write_text(
        f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m aiter_lint "$@"\n'
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return folder


def environment(home: Path) -> dict[str, str]:
    """What git and pre-commit see: no settings of the person at hand, `aiter-lint` on PATH."""
    path = os.pathsep.join([str(program(home / "bin")), str(Path(sys.executable).parent)])
    return {
        **{key: value for key, value in os.environ.items() if not key.startswith("GIT_")},
        "PATH": f"{path}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "PRE_COMMIT_HOME": str(home / "pre-commit"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Test",
        "GIT_AUTHOR_EMAIL": "test@example.org",
        "GIT_COMMITTER_NAME": "Test",
        "GIT_COMMITTER_EMAIL": "test@example.org",
    }


class Repository:
    """A git repository with the project in it."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder
        self.environment = environment(home)
        folder.mkdir(parents=True, exist_ok=True)

    def write(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def read(self, name: str) -> str:
        return (self.folder / name).read_text()

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=300,
        )

    def git(self, *arguments: str) -> str:
        done = self.run("git", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def commit(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Add everything and try to commit it; what the hooks say is in the output."""
        self.git("add", "--all")
        done = self.run("git", "commit", "--message", "A change", *arguments)
        done.stdout += done.stderr
        return done


def repository(folder: Path, home: Path) -> Repository:
    """The project, committed."""
    made = Repository(folder, home)
    made.write(FILES)
    made.git("init", "--quiet")
    assert made.commit().returncode == 0
    return made
