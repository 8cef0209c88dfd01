"""GitLab's code quality report: an array of issues, matched between runs by fingerprint."""

from __future__ import annotations

from collections.abc import Iterator

from aiter_lint.finding import Severity
from aiter_lint.report.fingerprint import fingerprints
from aiter_lint.report.record import dumps
from aiter_lint.report.report import Report

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.ADVICE: "info"}


def render(report: Report) -> Iterator[str]:
    """The array, one issue a line."""
    yield "["
    separator = "\n"
    for finding, fingerprint in fingerprints(report):
        span = finding.place.span
        issue = {
            "description": f"{finding.code} {finding.rule}: {finding.message}",
            "check_name": finding.rule,
            "fingerprint": fingerprint,
            "severity": _SEVERITIES[finding.severity],
            "location": {
                "path": report.shown(finding.place.path),
                "lines": {"begin": span.line, "end": span.end_line},
            },
        }
        yield f"{separator}{dumps(issue)}"
        separator = ",\n"
    yield "\n]\n" if report.findings else "]\n"
