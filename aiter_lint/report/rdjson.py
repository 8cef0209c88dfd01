"""The Reviewdog Diagnostic Format: what reviewdog posts on a merge request, with suggestions.

Its columns count bytes of UTF-8, and a suggestion is one piece of text: a fix in several places
of one file becomes one piece from the first to the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aiter_lint.finding import Applicability, Finding, Severity
from aiter_lint.report.change import changes
from aiter_lint.report.lines import Lines
from aiter_lint.report.record import dumps
from aiter_lint.report.report import Report
from aiter_lint.span import Span

_SEVERITIES = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.ADVICE: "INFO"}

_TALLEST = 40  # lines of a suggestion: a taller one would hide what it changes


def render(report: Report) -> Iterator[str]:
    """One object, one diagnostic a line."""
    files = _Files(report)
    yield '{"source":{"name":"aiter-lint"},"diagnostics":['
    separator = "\n"
    for finding in report.findings:
        yield f"{separator}{dumps(files.diagnostic(finding))}"
        separator = ",\n"
    yield "\n]}\n" if report.findings else "]}\n"


class _Files:
    """The lines that positions are counted in."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._lines = Lines(report.text)

    def diagnostic(self, finding: Finding) -> dict[str, Any]:
        path = finding.place.path
        message = "\n".join(
            [
                finding.message,
                *(
                    f"{self._report.shown(related.place.path)}:{related.place.span.line}: "
                    f"{related.message}"
                    for related in finding.related
                ),
            ]
        )
        return {
            "message": message,
            "location": {
                "path": self._report.shown(path),
                "range": self._range(path, finding.place.span),
            },
            "severity": _SEVERITIES[finding.severity],
            "code": {"value": f"{finding.code} {finding.rule}"},
            "suggestions": self._suggestions(finding),
        }

    def _suggestions(self, finding: Finding) -> list[dict[str, Any]]:
        fix, path = finding.fix, finding.place.path
        if fix is None or fix.applicability is Applicability.DISPLAY:
            return []
        pieces = changes(fix, self._lines)
        if not pieces or any(piece.path != path for piece in pieces):
            return []
        first = pieces[0].line
        last = max(piece.line + len(piece.old) for piece in pieces)  # the line after
        lines = self._lines(path)
        if last - first > _TALLEST or last > len(lines):
            return []
        new: list[str] = []
        line = first
        for piece in pieces:
            new += lines[line - 1 : piece.line - 1]
            new += piece.new
            line = piece.line + len(piece.old)
        new += lines[line - 1 : last - 1]
        text = "".join(f"{text}\n" for text in new)
        return [{"range": self._range(path, Span(first, 1, last, 1)), "text": text}]

    def _range(self, path: str, span: Span) -> dict[str, Any]:
        return {
            "start": {"line": span.line, "column": self._column(path, span.line, span.column)},
            "end": {
                "line": span.end_line,
                "column": self._column(path, span.end_line, span.end_column),
            },
        }

    def _column(self, path: str, line: int, column: int) -> int:
        text = self._lines.line(path, line)[: column - 1]
        if text.isascii():
            return column
        return column - len(text) + len(text.encode("utf-8", "surrogatepass"))
