"""One finding a line, each a JSON object, for programs that read line by line."""

from __future__ import annotations

from collections.abc import Iterator

from aiter_lint.report.record import dumps, record
from aiter_lint.report.report import Report


def render(report: Report) -> Iterator[str]:
    """The objects of the `json` format without the array around them."""
    for finding in report.findings:
        yield dumps(record(finding, report)) + "\n"
