"""A fix as changed lines: what full output shows, and what a one-piece suggestion is made of."""

from __future__ import annotations

import msgspec

from aiter_lint.finding import Edit, Fix
from aiter_lint.report.lines import Lines


class Change(msgspec.Struct, frozen=True):
    """Whole lines of one file that become others. `line` is the number of the first one; with
    `old` empty, the new lines come before it."""

    path: str
    line: int
    old: tuple[str, ...]
    new: tuple[str, ...]


def changes(fix: Fix, lines: Lines) -> list[Change]:
    """The fix as changes, in the order of files in the fix, then by line. Empty where the edits
    don't fit the text: then there is nothing that could be shown truthfully."""
    found: list[Change] = []
    for path in dict.fromkeys(edit.path for edit in fix.edits):
        for group in _groups([edit for edit in fix.edits if edit.path == path]):
            change = _change(path, lines(path), group)
            if change is None:
                return []
            if change.old != change.new:
                found.append(change)
    return found


def _groups(edits: list[Edit]) -> list[list[Edit]]:
    """The edits by place, those that touch a common line together."""
    groups: list[list[Edit]] = []
    last = 0
    for edit in sorted(edits, key=lambda edit: edit.span):
        if groups and edit.span.line <= last:
            groups[-1].append(edit)
        else:
            groups.append([edit])
        last = max(last, edit.span.end_line)
    return groups


def _change(path: str, lines: list[str], edits: list[Edit]) -> Change | None:
    first = edits[0].span.line
    last = max(edit.span.end_line for edit in edits)
    if not 1 <= first <= last <= len(lines):
        return None
    pieces: list[str] = []
    line, column = first, 1
    for edit in edits:
        span = edit.span
        if (span.line, span.column) < (line, column) or (span.end_line, span.end_column) < (
            span.line,
            span.column,
        ):
            return None
        pieces.append(_between(lines, line, column, span.line, span.column))
        pieces.append(edit.content.replace("\r\n", "\n").replace("\r", "\n"))
        line, column = span.end_line, span.end_column
    pieces.append(_between(lines, line, column, last, len(lines[last - 1]) + 1))
    old, new = lines[first - 1 : last], "".join(pieces).split("\n")
    while old and new and old[0] == new[0]:
        old, new, first = old[1:], new[1:], first + 1
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return Change(path, first, tuple(old), tuple(new))


def _between(lines: list[str], line: int, column: int, end_line: int, end_column: int) -> str:
    if line == end_line:
        return lines[line - 1][column - 1 : end_column - 1]
    middle = lines[line : end_line - 1]
    return "\n".join(
        [lines[line - 1][column - 1 :], *middle, lines[end_line - 1][: end_column - 1]]
    )
