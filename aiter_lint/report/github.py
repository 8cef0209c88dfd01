"""Workflow commands, which GitHub Actions shows as annotations on the changed lines."""

from __future__ import annotations

from collections.abc import Iterator

from aiter_lint.finding import Finding, Severity
from aiter_lint.report.plain import plain
from aiter_lint.report.report import Report

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "notice"}


def render(report: Report) -> Iterator[str]:
    """One command a finding; the places that belong to it follow in its text."""
    for finding in report.findings:
        properties = ",".join(
            f"{name}={_property(str(value))}" for name, value in _properties(finding, report)
        )
        text = "\n".join(
            [
                plain(finding.message),
                *(
                    f"{plain(report.shown(related.place.path))}:{related.place.span.line}: "
                    f"{plain(related.message)}"
                    for related in finding.related
                ),
            ]
        )
        yield f"::{_COMMANDS[finding.severity]} {properties}::{_data(text)}\n"


def _properties(finding: Finding, report: Report) -> Iterator[tuple[str, str | int]]:
    span = finding.place.span
    yield "title", f"{finding.code} {finding.rule}"
    yield "file", plain(report.shown(finding.place.path))
    yield "line", span.line
    yield "endLine", span.end_line
    if span.line == span.end_line:  # columns are refused for more than one line
        yield "col", span.column
        yield "endColumn", span.end_column


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
