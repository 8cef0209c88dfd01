"""Reading many files, in one process or several."""

from __future__ import annotations

import os

import pytest

from aiter_lint.read import files
from aiter_lint.read.facts import FileFacts
from aiter_lint.read.reader import read_file
from aiter_lint.read.sources import Sources, read_bytes


def facts_of(path: str, data: bytes) -> FileFacts:
    if data == b"# die":
        if os.getpid() != PARENT:
            os._exit(1)
        return read_file(b"survived = 1\n")
    return read_file(data)


PARENT = os.getpid()


@pytest.fixture
def sizes(tmp_path):
    found = {}
    for number in range(20):
        path = tmp_path / f"m{number:02}.py"
        path.write_text(f"x = {number}\n" * (number % 7))
        found[path.name] = path.stat().st_size
    return found


@pytest.fixture
def eager(monkeypatch):
    monkeypatch.setattr(files, "WORTH_A_PROCESS", 1)
    monkeypatch.setattr(files, "_BATCH", 20)


def test_the_number_of_processes_changes_nothing(tmp_path, sizes, eager):
    one = files.read_files(os.fspath(tmp_path), sizes, facts_of, jobs=1)
    several = files.read_files(os.fspath(tmp_path), sizes, facts_of, jobs=3)
    assert one == several
    assert list(one.facts) == list(several.facts) == list(sizes)


def test_a_process_that_dies_loses_nothing(tmp_path, sizes, eager):
    (tmp_path / "m03.py").write_text("# die")
    reading = files.read_files(os.fspath(tmp_path), sizes, facts_of, jobs=2)
    assert reading.problems == ()
    assert list(reading.facts) == list(sizes)
    assert reading.facts["m03.py"] == read_file(b"survived = 1\n")


def test_progress_counts_every_file(tmp_path, sizes, eager):
    told = []
    files.read_files(
        os.fspath(tmp_path), sizes, facts_of, jobs=2, progress=lambda *step: told.append(step)
    )
    assert told == [("Reading", done, 20) for done in range(1, 21)]


def test_what_cannot_be_read_is_a_problem(tmp_path, sizes, eager):
    (tmp_path / "m01.py").unlink()
    (tmp_path / "m02.py").unlink()
    (tmp_path / "m02.py").symlink_to("m03.py")
    os.mkfifo(tmp_path / "pipe.py")
    sizes["pipe.py"] = 0
    for jobs in (1, 2):
        reading = files.read_files(os.fspath(tmp_path), sizes, facts_of, jobs=jobs)
        assert [problem.split(":")[0] for problem in reading.problems] == [
            "m01.py",
            "m02.py",
            "pipe.py",
        ]
        assert len(reading.facts) == 18


def test_an_overlay_counts_instead_of_the_file(tmp_path, sizes, eager):
    for jobs in (1, 2):
        reading = files.read_files(
            os.fspath(tmp_path), sizes, facts_of, jobs=jobs, overlay={"m05.py": b"def (:"}
        )
        assert reading.facts["m05.py"].fault is not None


def test_a_huge_file_is_read_in_part(tmp_path, monkeypatch):
    monkeypatch.setattr("aiter_lint.read.sources.LONGEST_FILE", 10)
    (tmp_path / "m.py").write_text("x" * 100)
    assert len(read_bytes(os.fspath(tmp_path), "m.py")) == 11


def test_only_files_of_the_project_can_be_read_again(tmp_path):
    (tmp_path / "m.py").write_text("x = 1\r\n")
    (tmp_path / "secret").write_text("")
    sources = Sources(os.fspath(tmp_path), {"m.py": read_file(b"")}, ("c.json",))
    assert sources.text("m.py") == "x = 1\n"
    assert sources.json_paths() == ("c.json",)
    for path in ("secret", "../m.py", "/etc/passwd"):
        with pytest.raises(FileNotFoundError):
            sources.data(path)
        assert sources.text(path) is None
