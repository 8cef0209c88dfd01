"""JUnit XML, for CI systems that show test results: one suite a file, one case a finding."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from aiter_lint.finding import Finding, Severity
from aiter_lint.report.plain import plain
from aiter_lint.report.report import Report


def render(report: Report) -> Iterator[str]:
    """Errors and warnings are failures, advice is skipped. Without a finding there is one case,
    which passes: a report with no case at all counts as missing."""
    failures = sum(finding.severity is not Severity.ADVICE for finding in report.findings)
    tests = len(report.findings) or 1
    counts = _counts(tests, failures, len(report.findings) - failures)
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield f'<testsuites name="aiter-lint" {counts}>\n'
    for path, group in groupby(report.findings, key=lambda finding: finding.place.path):
        findings = list(group)
        failures = sum(finding.severity is not Severity.ADVICE for finding in findings)
        shown = plain(report.shown(path))
        counts = _counts(len(findings), failures, len(findings) - failures)
        yield f"  <testsuite name={quoteattr(shown)} {counts}>\n"
        for finding in findings:
            yield from _case(finding, shown)
        yield "  </testsuite>\n"
    if not report.findings:
        yield f'  <testsuite name="aiter-lint" {_counts(1, 0, 0)}>\n'
        yield '    <testcase name="aiter-lint" classname="aiter-lint" time="0"/>\n'
        yield "  </testsuite>\n"
    yield "</testsuites>\n"


def _counts(tests: int, failures: int, skipped: int) -> str:
    return f'tests="{tests}" failures="{failures}" errors="0" skipped="{skipped}" time="0"'


def _case(finding: Finding, path: str) -> Iterator[str]:
    span = finding.place.span
    name = f"{finding.code} {finding.rule} {span.line}:{span.column}"
    message = plain(finding.message)
    yield f'    <testcase name={quoteattr(name)} classname={quoteattr(path)} time="0">\n'
    if finding.severity is Severity.ADVICE:
        yield f"      <skipped message={quoteattr(message)}/>\n"
    else:
        where = f"{path}:{span.line}:{span.column}: {message}"
        yield (
            f'      <failure type="{finding.severity.value}" message={quoteattr(message)}>'
            f"{escape(where)}</failure>\n"
        )
    yield "    </testcase>\n"
