"""One expression of a file as libcst sees it, with the positions of its parts in the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiter_lint.fix.document import Document, Unfixable
from aiter_lint.span import Span

if TYPE_CHECKING:
    import libcst as cst


class Slice:
    """The expression at `span`. Only its own source is parsed, in parentheses: inside them its
    line breaks mean nothing, as they did where it stood."""

    def __init__(self, document: Document, span: Span) -> None:
        import libcst as cst
        from libcst.metadata import MetadataWrapper, PositionProvider

        self._span = span
        try:
            module = cst.parse_module(f"({document.slice(span)}\n)\n")
        except (cst.ParserSyntaxError, RecursionError) as error:
            raise Unfixable("the expression can't be parsed by itself") from error
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        self._positions = wrapper.resolve(PositionProvider)
        self.expression: cst.BaseExpression = wrapper.module.body[0].body[0].value

    def span(self, node: cst.CSTNode) -> Span:
        """Where a part of the expression stands in the file."""
        found = self._positions[node]
        return Span(*self._place(found.start), *self._place(found.end))

    def _place(self, position: cst.metadata.CodePosition) -> tuple[int, int]:
        line = self._span.line + position.line - 1
        if position.line == 1:
            return line, self._span.column + position.column - 1
        return line, position.column + 1
