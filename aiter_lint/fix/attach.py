"""The `repr=` of a jit decorator: put there, replaced, taken off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiter_lint.finding import Edit
from aiter_lint.fix.document import Document, Unfixable
from aiter_lint.fix.series import Series
from aiter_lint.fix.slices import Slice
from aiter_lint.span import Span

if TYPE_CHECKING:
    import libcst as cst


def attach(document: Document, jit: Span, value: str, limit: int) -> tuple[Edit, ...]:
    """Give the jit decorator, or the jit call, at `jit` a `repr=value`."""
    import libcst as cst

    piece = Slice(document, jit)
    text = f"repr={value}"
    node = piece.expression
    if not isinstance(node, cst.Call):
        line = document.line(jit.end_line)
        if len(line) + len(text) + 2 > limit and "#" not in line:
            indent = document.indent(jit.line)
            text = f"\n{indent}{document.unit}{text},\n{indent}"
        return (document.insert(jit.end_line, jit.end_column, f"({text})"),)
    if any(argument.star == "**" for argument in node.args):
        raise Unfixable("the decorator takes a `**` mapping, which may hold a repr already")
    return _arguments(document, jit, piece, node, limit).insert(len(node.args), text)


def detach(
    document: Document, jit: Span, argument: Span, limit: int
) -> tuple[tuple[Edit, ...], bool]:
    """Take the argument at `argument` off the decorator or call at `jit`, and the parentheses with
    it where nothing is left in them. The flag says that a comment gets lost by it."""
    import libcst as cst

    piece = Slice(document, jit)
    node = piece.expression
    if not isinstance(node, cst.Call):
        raise Unfixable("the decorator has no arguments of its own")
    series = _arguments(document, jit, piece, node, limit)
    index = next((i for i, item in enumerate(series.items) if item.contains(argument)), None)
    if index is None:
        raise Unfixable("the repr is not an argument of this decorator")
    if len(series.items) > 1:
        return series.remove(index)
    function = piece.span(node.func)
    rest = Span(function.end_line, function.end_column, jit.end_line, jit.end_column)
    lost = "#" in document.slice(rest).replace(document.slice(argument), "", 1)
    return (document.replace(rest, ""),), lost


def _arguments(document: Document, jit: Span, piece: Slice, node: cst.Call, limit: int) -> Series:
    """The arguments of a call; libcst's position of one leaves out the comma behind it."""
    items = tuple(piece.span(argument) for argument in node.args)
    inside = Span(*_opening(document, jit, piece, node), jit.end_line, jit.end_column - 1)
    return Series(document, items, inside, limit)


def _opening(document: Document, jit: Span, piece: Slice, node: cst.Call) -> tuple[int, int]:
    """The position after the call's opening parenthesis."""
    function = piece.span(node.func)
    rest = Span(function.end_line, function.end_column, jit.end_line, jit.end_column)
    skipped = document.slice(rest).index("(") + 1
    before = document.slice(rest)[:skipped]
    lines = before.count("\n")
    if lines:
        return function.end_line + lines, len(before) - before.rfind("\n")
    return function.end_line, function.end_column + skipped
