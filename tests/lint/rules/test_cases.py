"""The case files of `tests/lint/cases`: many small projects, each with all that is due in it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import case_files
import pytest

CASES = Path(__file__).parent.parent / "cases"


@pytest.mark.parametrize("path", sorted(CASES.glob("*.case")), ids=lambda path: path.stem)
def test_case(path: Path, tmp_path: Path) -> None:
    case = case_files.parse(path.read_text(encoding="utf-8"))
    case_files.write(case, tmp_path)
    (tmp_path / "names.py").write_text(case_files.NAMES, encoding="utf-8")
    findings = case_files.lint(tmp_path)
    assert case_files.places(findings) == case.expected
    told = Counter((f.code, f.place, f.kernel, f.key) for f in findings)
    assert [finding for finding, times in told.items() if times > 1] == []


def test_there_are_cases() -> None:
    assert len(list(CASES.glob("*.case"))) > 50
