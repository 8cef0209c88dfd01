"""One array of findings, for programs."""

from __future__ import annotations

from collections.abc import Iterator

from aiter_lint.report.record import dumps, record
from aiter_lint.report.report import Report


def render(report: Report) -> Iterator[str]:
    """The array, one finding a line: easy to read in a diff."""
    yield "["
    separator = "\n"
    for finding in report.findings:
        yield f"{separator}{dumps(record(finding, report))}"
        separator = ",\n"
    yield "\n]\n" if report.findings else "]\n"
