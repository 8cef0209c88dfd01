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

        self._document = document
        self._span = span
        try:
            module = cst.parse_module(f"({document.slice(span)}\n)\n")
        except (cst.ParserSyntaxError, RecursionError) as error:
            raise Unfixable("the expression can't be parsed by itself") from error
        wrapper = MetadataWrapper(module, unsafe_skip_copy=True)
        self._module = wrapper.module
        self._positions = wrapper.resolve(PositionProvider)
        self.expression: cst.BaseExpression = wrapper.module.body[0].body[0].value

    def span(self, node: cst.CSTNode) -> Span:
        """Where a part of the expression stands in the file."""
        found = self._positions[node]
        return Span(*self._place(found.start), *self._place(found.end))

    def inside(self, node: cst.List | cst.Tuple) -> Span | None:
        """What stands between the brackets of a display; None for a tuple without any. libcst
        counts brackets to a list, but not to a tuple."""
        import libcst as cst

        span = self.span(node)
        if isinstance(node, cst.List):
            return Span(span.line, span.column + 1, span.end_line, span.end_column - 1)
        own = node.lpar[1:] if node is self.expression else node.lpar  # one was put around it
        if not own:
            return None
        before = self._module.code_for_node(own[-1].whitespace_after).split("\n")
        after = self._module.code_for_node(node.rpar[0].whitespace_before).split("\n")
        line, column = span.line - len(before) + 1, span.column - len(before[0])
        if len(before) > 1:
            column = len(self._document.line(line)) - len(before[0]) + 1
        end_line, end_column = span.end_line + len(after) - 1, span.end_column + len(after[0])
        if len(after) > 1:
            end_column = len(after[-1]) + 1
        return Span(line, column, end_line, end_column)

    def _place(self, position: cst.metadata.CodePosition) -> tuple[int, int]:
        line = self._span.line + position.line - 1
        if position.line == 1:
            return line, self._span.column + position.column - 1
        return line, position.column + 1
