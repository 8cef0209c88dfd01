"""One line a finding."""

from __future__ import annotations

from collections.abc import Iterator

from aiter_lint.finding import Applicability, Finding
from aiter_lint.report.plain import plain
from aiter_lint.report.report import Report
from aiter_lint.report.style import Style
from aiter_lint.report.summary import summary

_FIXABLE = {Applicability.SAFE: " [fixable]", Applicability.UNSAFE: " [unsafe fix]"}


def render(report: Report) -> Iterator[str]:
    """`path:line:column: severity code rule: message`, and the summary."""
    paint = Style(report.color).paint
    for finding in report.findings:
        span = finding.place.span
        path = paint(plain(report.shown(finding.place.path)), "path")
        severity = finding.severity.value
        fixable = _fixable(finding)
        yield (
            f"{path}:{span.line}:{span.column}: {paint(severity, severity)} "
            f"{finding.code} {finding.rule}: {plain(finding.message)}{fixable}\n"
        )
    yield summary(report) + "\n"


def _fixable(finding: Finding) -> str:
    """Whether a fix is at hand; where none was planned, by what the rule asks for."""
    if finding.fix is not None:
        return _FIXABLE.get(finding.fix.applicability, "")
    return " [fixable]" if finding.repair is not None else ""
