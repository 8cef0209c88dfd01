"""What people read: each finding with its source, where a value came from, the fix as a diff."""

from __future__ import annotations

from collections.abc import Iterator

from aiter_lint.finding import Applicability, Finding
from aiter_lint.report.change import changes
from aiter_lint.report.lines import Lines
from aiter_lint.report.plain import cells, plain, width
from aiter_lint.report.report import Report
from aiter_lint.report.style import Style
from aiter_lint.report.summary import summary
from aiter_lint.span import Place, Span

_WIDEST = 160  # characters of a source line that are shown around its finding
_LONGEST = 24  # lines of one change that are shown

_HELP = {
    Applicability.SAFE: "fix",
    Applicability.UNSAFE: "unsafe fix",
    Applicability.DISPLAY: "suggestion",
}


def render(report: Report) -> Iterator[str]:
    """One block a finding, and the summary."""
    page = _Page(report)
    for finding in report.findings:
        yield "\n".join(page.finding(finding)) + "\n\n"
    yield summary(report) + "\n"


class _Page:
    """Draws findings; keeps the lines of the files that it has shown."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._style = Style(report.color)
        self._lines = Lines(report.text)

    def finding(self, finding: Finding) -> Iterator[str]:
        paint = self._style.paint
        severity = finding.severity.value
        places = [finding.place, *(related.place for related in finding.related)]
        gutter = len(str(max(place.span.line for place in places)))
        yield (
            f"{paint(severity, severity)} {paint(f'{finding.code} {finding.rule}', 'bold')}: "
            f"{plain(finding.message)}"
        )
        yield self._where(finding.place, "-->", gutter)
        yield from self._excerpt(finding.place, gutter, "^", severity)
        for related in finding.related:
            yield f"{self._where(related.place, ':::', gutter)}: {plain(related.message)}"
            yield from self._excerpt(related.place, gutter, "-", "gutter")
        if finding.fix is not None:
            yield from self._fix(finding, gutter)

    def _where(self, place: Place, arrow: str, gutter: int) -> str:
        path = plain(self._report.shown(place.path))
        at = f"{path}:{place.span.line}:{place.span.column}"
        return f"{' ' * gutter}{self._style.paint(arrow, 'gutter')} {self._style.paint(at, 'path')}"

    def _excerpt(self, place: Place, gutter: int, mark: str, style: str) -> Iterator[str]:
        number = place.span.line
        line = self._lines.line(place.path, number)
        if not line.strip():
            return
        shown, before, marked = _window(line, place.span)
        paint = self._style.paint
        bar = paint("|", "gutter")
        empty = f"{' ' * gutter} {bar}"
        yield empty
        yield f"{paint(str(number).rjust(gutter), 'gutter')} {bar} {shown}"
        yield f"{empty} {' ' * before}{paint(mark * max(1, marked), style)}"

    def _fix(self, finding: Finding, gutter: int) -> Iterator[str]:
        fix = finding.fix
        assert fix is not None
        paint = self._style.paint
        indent = " " * gutter
        yield (
            f"{indent} {paint('=', 'gutter')} "
            f"{paint(_HELP[fix.applicability], 'bold')}: {plain(fix.title)}"
        )
        several = len({edit.path for edit in fix.edits} | {finding.place.path}) > 1
        for change in changes(fix, self._lines):
            path = f"{plain(self._report.shown(change.path))}:" if several else "line "
            yield paint(f"{indent}   @ {path}{change.line}", "dim")
            for sign, style, lines in (("-", "removed", change.old), ("+", "added", change.new)):
                for line in lines[:_LONGEST]:
                    text = "".join(cells(line[:_WIDEST])) + ("..." if len(line) > _WIDEST else "")
                    yield paint(f"{indent}   {sign} {text}".rstrip(), style)
                if len(lines) > _LONGEST:
                    yield paint(f"{indent}   {sign} ... {len(lines) - _LONGEST} more lines", style)


def _window(line: str, span: Span) -> tuple[str, int, int]:
    """The part of the line that is shown, the columns in front of the mark, and the mark's own."""
    end = span.end_column - 1 if span.end_line == span.line else len(line.rstrip())
    start = min(span.column - 1, len(line))
    first, last = 0, len(line)
    lead = tail = ""
    if len(line) > _WIDEST:
        first = max(0, min(start - _WIDEST // 4, len(line) - _WIDEST))
        last = first + _WIDEST
        lead, tail = "..." if first else "", "..." if last < len(line) else ""
    shown = cells(line[first:last])
    at, to = start - first, max(start, min(end, last)) - first
    before = len(lead) + width("".join(shown[:at]))
    return lead + "".join(shown).rstrip() + tail, before, width("".join(shown[at:to]))
