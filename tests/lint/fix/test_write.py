"""Files on disk: replaced whole, with their modes; links and what can't be written."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from aiter_lint.fix import Changed, write_all


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_bytes(b"before\n")
    return folder


CHANGE = Changed("a.py", b"before\n", b"after\n")


def leftovers(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.startswith(".aiter-lint")]


def test_content_and_mode(root: Path) -> None:
    (root / "a.py").chmod(0o751)
    assert write_all(str(root), [CHANGE]) == []
    assert (root / "a.py").read_bytes() == b"after\n"
    assert stat.S_IMODE((root / "a.py").stat().st_mode) == 0o751
    assert not leftovers(root)


def test_a_link_stays_a_link(root: Path) -> None:
    (root / "link.py").symlink_to("a.py")
    assert write_all(str(root), [Changed("link.py", b"before\n", b"after\n")]) == []
    assert (root / "link.py").is_symlink()
    assert (root / "a.py").read_bytes() == b"after\n"


def test_a_link_out_of_the_project(root: Path) -> None:
    outside = root.parent / "outside.py"
    outside.write_bytes(b"before\n")
    (root / "link.py").symlink_to(outside)
    (problem,) = write_all(str(root), [Changed("link.py", b"before\n", b"after\n")])
    assert problem.startswith("link.py: not changed: it is a link that leads out")
    assert outside.read_bytes() == b"before\n"


def test_a_folder_that_is_a_link_out_of_the_project(root: Path) -> None:
    outside = root.parent / "elsewhere"
    outside.mkdir()
    (outside / "a.py").write_bytes(b"before\n")
    (root / "linked").symlink_to(outside)
    assert write_all(str(root), [Changed("linked/a.py", b"before\n", b"after\n")])
    assert (outside / "a.py").read_bytes() == b"before\n"


def test_read_only(root: Path) -> None:
    (root / "a.py").chmod(0o444)
    (root / "b.py").write_bytes(b"before\n")
    other = Changed("b.py", b"before\n", b"after\n")
    (problem,) = write_all(str(root), [CHANGE, other])
    assert problem == "a.py: not changed: it is read-only; make it writable and run again"
    assert (root / "a.py").read_bytes() == b"before\n"
    assert (root / "b.py").read_bytes() == b"after\n", "the others are written"


def test_changed_meanwhile(root: Path) -> None:
    (root / "a.py").write_bytes(b"something else\n")
    (problem,) = write_all(str(root), [CHANGE])
    assert "changed by something else" in problem
    assert (root / "a.py").read_bytes() == b"something else\n"


def test_gone(root: Path) -> None:
    (root / "a.py").unlink()
    (problem,) = write_all(str(root), [CHANGE])
    assert problem.startswith("a.py: not changed: ")
    assert not (root / "a.py").exists()


def test_nothing_is_left_behind_when_it_fails(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    (problem,) = write_all(str(root), [CHANGE])
    assert problem == "a.py: not changed: No space left on device"
    assert (root / "a.py").read_bytes() == b"before\n"
    assert not leftovers(root)
