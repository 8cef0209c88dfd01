"""The case files of `tests/lint/cases`: many small projects, each with all that is due in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import case_files
import pytest

CASES = Path(__file__).parent.parent / "cases"


FILES = sorted(CASES.glob("*.case"))
IN_TRITON_ONLY = ("gluon", "_aggregate", "triton.runtime", "proj", "jax")  # about names for jit


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("dialect", ["triton", "gluon"])
def test_case(path: Path, dialect: str, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    case = case_files.parse(text)
    if dialect == "gluon":
        if any(word in text for word in IN_TRITON_ONLY):
            pytest.skip("about Triton's own names")
        case = case_files.gluon(case)
    case_files.write(case, tmp_path)
    (tmp_path / "names.py").write_text(case_files.NAMES, encoding="utf-8")
    findings = case_files.lint(tmp_path)
    assert case_files.places(findings) == case.expected
    told = Counter((f.code, f.place, f.kernel, f.key) for f in findings)
    assert [finding for finding, times in told.items() if times > 1] == []


@pytest.mark.parametrize("name", ["201_dead_keys", "301_constants", "001_ignores", "401_method"])
def test_case_by_command(name: str, tmp_path: Path) -> None:
    case = case_files.parse((CASES / f"{name}.case").read_text(encoding="utf-8"))
    case_files.write(case, tmp_path)
    (tmp_path / "names.py").write_text(case_files.NAMES, encoding="utf-8")
    command = [sys.executable, "-m", "aiter_lint", "check", "--output-format", "json", "."]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment())
    assert run.stderr == ""
    findings = json.loads(run.stdout)
    assert {(f["path"], f["line"], f["rule"]) for f in findings} == case.expected
    assert run.returncode == (1 if findings else 0)


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3]), "PYTHONUTF8": "1"}


def test_there_are_cases() -> None:
    assert len(FILES) > 100
