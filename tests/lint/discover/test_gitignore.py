"""The ignore patterns, held against git itself."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aiter_lint.discover.gitignore import Patterns

CASES = [
    # id, patterns, path, folder, verdict
    ("comment", "# x.py", "# x.py", False, None),
    ("escaped hash", r"\#x.py", "#x.py", False, True),
    ("empty", "\n\n", "x.py", False, None),
    ("name at any depth", "x.py", "a/b/x.py", False, True),
    ("name in the middle is no match", "a", "b/a/x.py", False, None),
    ("anchored name", "/x.py", "x.py", False, True),
    ("anchored name is not deeper", "/x.py", "a/x.py", False, None),
    ("slash in the middle anchors", "a/x.py", "b/a/x.py", False, None),
    ("folders only", "a/", "a", False, None),
    ("folders only, a folder", "a/", "b/a", True, True),
    ("ending", "*.py", "a/x.py", False, True),
    ("letters at the end", "*.py[cod]", "a/x.pyo", False, True),
    ("letters at the end, none", "*.py[cod]", "a/x.py", False, None),
    ("a range", "x[0-9].py", "x7.py", False, True),
    ("no range", "x[!0-9].py", "x7.py", False, None),
    ("star stops at a slash", "a/*.py", "a/b/x.py", False, None),
    ("question mark", "?.py", "x.py", False, True),
    ("two stars in front", "**/x.py", "a/b/x.py", False, True),
    ("two stars in front of a path", "**/b/x.py", "a/b/x.py", False, True),
    ("two stars between", "a/**/x.py", "a/x.py", False, True),
    ("two stars behind", "a/**", "a/b", True, True),
    ("two stars behind, not itself", "a/**", "a", True, None),
    ("taken back", "*.py\n!x.py", "x.py", False, False),
    ("taken back in front", "!x.py\n*.py", "x.py", False, True),
    ("a folder taken back is not its content", "*.py\n!a", "a/x.py", False, True),
    ("trailing blanks", "x.py   ", "x.py", False, True),
    ("escaped blank", "x\\ ", "x ", False, True),
    ("carriage return", "x.py\r\n", "x.py", False, True),
    ("literal after glob", "x*.py\n!x1.py\n", "x1.py", False, False),
    ("glob after literal", "!x1.py\nx*.py\n", "x1.py", False, True),
    ("everything but", "/*\n!/a", "a", True, False),
]


@pytest.mark.parametrize(
    ("patterns", "path", "folder", "verdict"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_verdict(patterns, path, folder, verdict):
    assert Patterns(patterns.split("\n")).verdict(path, folder=folder) is verdict


def test_a_file_is_covered_by_its_folder():
    patterns = Patterns(["tests/", "*_gen.py"])
    assert patterns.covers("a/tests/b/x.py")
    assert patterns.covers("a/x_gen.py")
    assert not patterns.covers("a/tests.py")


names = st.sampled_from(["a", "b", "ab", "x.py", "y.py", "b.json"])
pieces = st.sampled_from(
    ["a", "b", "ab", "*", "a*", "*b", "?", "**", "[ab]", "[!a]", "x.py", "*.py"]
)
pattern = st.builds(
    lambda sign, lead, parts, tail: sign + lead + "/".join(parts) + tail,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/"]),
    st.lists(pieces, min_size=1, max_size=3),
    st.sampled_from(["", "", "/"]),
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory) -> Path:
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    root = tmp_path_factory.mktemp("repository")
    subprocess.run(["git", "init", "-q", root], check=True)
    for folder in ("", "a", "a/b", "ab", "b/a", "b/ab/b"):
        (root / folder).mkdir(parents=True, exist_ok=True)
        for name in ("x.py", "y.py", "b.json"):
            (root / folder / name).write_text("")
    return root


@given(st.lists(pattern, min_size=1, max_size=5))
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_what_git_says(repository, lines):
    (repository / ".gitignore").write_text("\n".join(lines) + "\n")
    listed = subprocess.run(
        ["git", "ls-files", "--others", "--exclude-standard", "-z"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=True,
    )
    seen = {path for path in listed.stdout.split("\0") if path and path != ".gitignore"}
    patterns = Patterns(lines)
    ours = set()
    pending = [repository]
    while pending:
        folder = pending.pop()
        for entry in folder.iterdir():
            path = entry.relative_to(repository).as_posix()
            if entry.name in (".git", ".gitignore") or patterns.verdict(
                path, folder=entry.is_dir()
            ):
                continue
            if entry.is_dir():
                pending.append(entry)
            else:
                ours.add(path)
    assert ours == seen
