"""What users see, held as files: a change of output is a change of a file in review.

`UPDATE_SNAPSHOTS=1 pytest tests/lint/report` writes the files anew."""

import os
from pathlib import Path

import pytest
from report_samples import ALL, report_of

from aiter_lint.finding import Severity
from aiter_lint.report.report import FORMATS, render

SNAPSHOTS = Path(__file__).parent / "snapshots"


def compare(name: str, text: str) -> None:
    path = SNAPSHOTS / name
    if os.environ.get("UPDATE_SNAPSHOTS") == "1":
        path.write_bytes(text.encode())
    assert text == path.read_bytes().decode()


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "sarif"])
def test_findings_are_written_as_before(name):
    report = report_of(*ALL, hidden={Severity.ADVICE: 3})
    compare(f"findings.{name}.txt", "".join(render(name, report)))


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "sarif"])
def test_a_clean_run_is_written_as_before(name):
    compare(f"clean.{name}.txt", "".join(render(name, report_of())))


@pytest.mark.parametrize("name", ["full", "concise"])
def test_colours_are_those_of_before(name):
    text = "".join(render(name, report_of(*ALL, color=True)))
    compare(f"color.{name}.txt", text.replace("\x1b", "<ESC>"))


def test_every_format_has_been_tried_here():
    tried = {path.name.split(".")[1] for path in SNAPSHOTS.glob("findings.*.txt")}
    assert tried == set(FORMATS) - {"sarif"}  # which has a schema, and tests of its own


def test_an_unknown_format_is_refused_with_the_choices():
    with pytest.raises(ValueError, match="choose from full, concise, json"):
        next(render("xml", report_of()))
