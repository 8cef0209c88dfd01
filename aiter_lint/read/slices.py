"""Kernels as libcst reads them: decorators and signature, builder calls, launches, each parsed
from its own slice of the source and converted like a whole file.

`ast` is the index that says where the slices are. What a slice says depends on its text alone,
and on where it stands: under its digest it can be kept, so that an edit elsewhere in the file
needs no libcst.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import MutableMapping

from aiter_lint.read.convert import Converter
from aiter_lint.read.from_cst import parse_tree
from aiter_lint.read.source import Source
from aiter_lint.read.syntax import Expr, Param
from aiter_lint.span import Span

Head = tuple[tuple[Expr, ...], tuple[Param, ...]]


class SlicingConverter(Converter):
    """Converts what `ast` parsed, but asks libcst for kernels' heads, launches and builder calls.

    `known` keeps what libcst read, by digest."""

    def __init__(self, source: Source, known: MutableMapping[bytes, Expr | Head]) -> None:
        super().__init__(source)
        self.known = known

    def expr(self, node: ast.expr, depth: int = 0) -> Expr:
        """One expression: a launch or a builder call by libcst, any other from `ast`."""
        if type(node) is ast.Call and _is_wanted(node.func):
            span = self.span(node)
            key = digest(self.source, span)
            found = self.known.get(key)
            if found is None:
                found = self.known[key] = read_expression(self.source, span)
            return found
        return super().expr(node, depth)

    def kernel_head(self, node: ast.FunctionDef, span: Span) -> Head:
        """Decorators and parameters of a kernel, by libcst."""
        key = digest(self.source, span)
        found = self.known.get(key)
        if found is None:
            found = self.known[key] = read_head(self.source, span)
        return found


def digest(source: Source, span: Span) -> bytes:
    """What identifies a slice: its text and the place that its spans refer to."""
    key = f"{span.line}:{span.column}:{source.slice(span)}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(key, digest_size=16).digest()


def read_head(source: Source, span: Span) -> Head:
    """Decorators and parameters of the function whose head covers `span`."""
    text = f"{source.slice(span)} pass\n"
    if span.column == 1:
        node = parse_tree(Source(text))[0].body[0]
        return _placed(source, span.line - 1).head(node)
    # its further lines are indented like the first, so it needs a block around it
    block = parse_tree(Source(f"if 1:\n{' ' * (span.column - 1)}{text}"))[0].body[0]
    return _placed(source, span.line - 2).head(block.body[0])


def read_expression(source: Source, span: Span) -> Expr:
    """The expression that covers `span`."""
    tree = parse_tree(Source(f"({source.slice(span)})\n"))[0]
    return _placed(source, span.line - 1, span.column - 2).expr(tree.body[0].value)


def _placed(source: Source, lines: int, columns: int = 0) -> Converter:
    """A converter for a slice that begins so many lines, and in its first line columns, later."""

    def span(node: ast.AST) -> Span:
        line, end_line = node.lineno, node.end_lineno
        return Span(
            line + lines,
            node.col_offset + 1 + (columns if line == 1 else 0),
            end_line + lines,
            node.end_col_offset + 1 + (columns if end_line == 1 else 0),
        )

    convert = Converter(source, characters=True)
    convert.span = span
    return convert


def _is_wanted(func: ast.expr) -> bool:
    """Whether a call of this is a launch or builds a repr."""
    if type(func) is ast.Subscript:
        return type(func.value) in (ast.Name, ast.Attribute)
    name = func.id if type(func) is ast.Name else getattr(func, "attr", "")
    return name.endswith("kernel_repr")
