"""The script of a first day, run as it stands: packages come from the index, the hook's environment
is made by pre-commit, the commit is refused and then accepted."""

import os
import re
import subprocess
import sys

import pytest
from small_project import ROOT, environment


@pytest.fixture(scope="module")
def transcript(tmp_path_factory):
    """Each step's title with what it printed."""
    home = tmp_path_factory.mktemp("home")
    day = tmp_path_factory.mktemp("day")
    surroundings = environment(home) | {"PYTHON": sys.executable, "PATH": os.environ["PATH"]}
    done = subprocess.run(
        ["sh", str(ROOT / "examples" / "first_day.sh"), str(day)],
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    pieces = re.split(r"^== (.*)\n", done.stdout, flags=re.MULTILINE)[1:]
    return dict(zip(pieces[::2], pieces[1::2], strict=True))


def step(transcript, words):
    return next(text for title, text in transcript.items() if words in title)


def test_old_findings_are_passed_over(transcript):
    assert "3 files checked: 3 errors." in step(transcript, "What there is")
    assert "nothing found. 3 passed over" in step(transcript, "go into the baseline")


def test_the_fix_writes_the_repr_and_nothing_else(transcript):
    text = step(transcript, "The fix")
    assert "nothing found. 1 fixed. 3 passed over" in text
    changed = [line for line in text.splitlines() if re.match(r"[+-][^+-]", line)]
    assert changed == [
        "-@triton.jit",
        '+_scale_kernel_repr = make_kernel_repr("_scale_kernel", ["BLOCK_SIZE"])',
        "+@triton.jit(repr=_scale_kernel_repr)",
    ]


def test_the_fixed_kernel_is_accepted(transcript):
    subjects = [line.split(" ", 1)[1] for line in step(transcript, "Accepted").splitlines() if line]
    assert subjects == ["Scale a tensor", "Lint the kernels", "The package as it was"]
