"""The read stage: one file's bytes become facts. Nothing here looks at any other file."""

from __future__ import annotations

import ast
import gc
import warnings
from collections.abc import Iterable

import msgspec

from aiter_lint.read.candidates import lines_calling
from aiter_lint.read.convert import TRIES, Converter
from aiter_lint.read.facts import Fault, FileFacts
from aiter_lint.read.ignores import read_ignores
from aiter_lint.read.index import JIT_WORDS, index_tree
from aiter_lint.read.source import Source, decode
from aiter_lint.read.syntax import Stmt
from aiter_lint.span import Span

__all__ = ["bodies_of", "body_of", "lines_calling", "read_file"]


def read_file(data: bytes, *, jit_words: frozenset[str] = JIT_WORDS) -> FileFacts:
    """The facts of one Python file. Never raises on what is in it: a file that can't be decoded
    or parsed has a fault and nothing else.

    `jit_words` are the last parts of the decorators that make a kernel, beside any that has
    "jit" in its name."""
    source = decode(data)
    if isinstance(source, Fault):
        return faulty(source)
    tree = _parse(source.text)
    if isinstance(tree, Exception):
        return faulty(_fault_of(tree, source))
    facts = index_tree(tree, Converter(source), jit_words)
    ignores = read_ignores(source)
    return msgspec.structs.replace(facts, ignores=ignores) if ignores else facts


def body_of(data: bytes, facts: FileFacts, index: int) -> tuple[Stmt, ...]:
    """The body of one function of a file."""
    return bodies_of(data, facts, (index,))[index]


def bodies_of(data: bytes, facts: FileFacts, indices: Iterable[int]) -> dict[int, tuple[Stmt, ...]]:
    """The bodies of functions of a file, by their indices in `facts.functions`: those that
    `facts` lacks are parsed, each from its own lines."""
    result: dict[int, tuple[Stmt, ...]] = {}
    source: Source | None = None
    for index in indices:
        function = facts.functions[index]
        if function.body is not None:
            result[index] = function.body
            continue
        if source is None:
            decoded = decode(data)
            if isinstance(decoded, Fault):
                raise ValueError(decoded.message)  # then it has no functions
            source = decoded
        result[index] = _parse_body(source, facts, index)
    return result


def faulty(fault: Fault) -> FileFacts:
    """The facts of a file that can't be read."""
    return FileFacts(fault, (), (), (), (), (), (), (), None)


def _parse(text: str) -> ast.Module | Exception:
    """The tree, or why there is none."""
    collects = gc.isenabled()
    gc.disable()  # a tree has no cycles, and the collector costs a tenth of the parse
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return error
    finally:
        if collects:
            gc.enable()


def _fault_of(error: Exception, source: Source) -> Fault:
    if isinstance(error, SyntaxError):
        line = min(max(error.lineno or 1, 1), len(source.lines))
        column = max(error.offset or 1, 1)
        return Fault(error.msg, Span(line, column, line, column))
    return Fault("nested too deeply to be parsed", Span(1, 1, 1, 1))


def _parse_body(source: Source, facts: FileFacts, index: int) -> tuple[Stmt, ...]:
    span = facts.functions[index].span
    lines = source.lines[span.line - 1 : span.end_line]
    shift = span.line - 1
    if span.column > 1:
        lines.insert(0, "if 1:")
        shift -= 1
    tree = _parse("\n".join(lines))
    if isinstance(tree, Exception):
        raise ValueError(f"line {span.line}: {tree}")
    node = tree.body[0]
    if span.column > 1:
        node = node.body[0]
    first_class = sum(1 for fact in facts.classes if fact.span.line < span.line)
    _Numbering(index, first_class).number([node])
    return Converter(source, shift).body(node.body)


class _Numbering:
    """Numbers the functions and classes of a slice as `Index` numbers those of a whole file."""

    def __init__(self, function: int, klass: int) -> None:
        self.function = function
        self.klass = klass

    def number(self, body: list[ast.stmt]) -> None:
        for node in body:
            kind = type(node)
            if kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
                node.index = self.function
                self.function += 1
                self.number(node.body)
            elif kind is ast.ClassDef:
                node.index = self.klass
                self.klass += 1
                self.number(node.body)
            elif kind is ast.Match:
                for case in node.cases:
                    self.number(case.body)
            else:
                chain = node
                while True:
                    self.number(getattr(chain, "body", ()) if kind is not ast.Expr else ())
                    if kind in TRIES:
                        for handler in chain.handlers:
                            self.number(handler.body)
                    other = getattr(chain, "orelse", ())
                    if kind is ast.If and len(other) == 1 and type(other[0]) is ast.If:
                        chain = other[0]
                        continue
                    if kind in TRIES or isinstance(other, list):
                        self.number(other)
                    if kind in TRIES:
                        self.number(chain.finalbody)
                    break
