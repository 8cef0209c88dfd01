"""The read stage: one file's bytes become facts. Nothing here looks at any other file."""

from __future__ import annotations

import ast
import gc
import warnings
from collections.abc import Iterable

import msgspec

from aiter_lint.read.candidates import lines_calling
from aiter_lint.read.convert import Converter
from aiter_lint.read.facts import Fault, FileFacts
from aiter_lint.read.ignores import ignores_among, read_ignores
from aiter_lint.read.index import JIT_WORDS, index_tree, number_tree
from aiter_lint.read.json_text import read_json
from aiter_lint.read.nesting import nests_too_deep, with_deep_stack
from aiter_lint.read.source import Source, decode
from aiter_lint.read.syntax import Stmt
from aiter_lint.span import Span

__all__ = ["bodies_of", "body_of", "lines_calling", "read_file", "read_json"]


def read_file(data: bytes, *, jit_words: frozenset[str] = JIT_WORDS) -> FileFacts:
    """The facts of one Python file. Never raises on what is in it: a file that can't be decoded
    or parsed has a fault and nothing else.

    `jit_words` are the last parts of the decorators that make a kernel, beside any that has
    "jit" in its name."""
    collects = gc.isenabled()
    gc.disable()  # a tree has no cycles, and the collector would walk it again and again
    try:
        return _read(data, jit_words)
    except (RecursionError, MemoryError):
        try:
            return with_deep_stack(lambda: _read(data, jit_words))
        except (RuntimeError, MemoryError):
            return _faulty(_TOO_DEEP)
    finally:
        if collects:
            gc.enable()


def body_of(data: bytes, facts: FileFacts, index: int) -> tuple[Stmt, ...]:
    """The body of one function of a file."""
    return bodies_of(data, facts, (index,))[index]


def bodies_of(data: bytes, facts: FileFacts, indices: Iterable[int]) -> dict[int, tuple[Stmt, ...]]:
    """The bodies of functions of a file, by their indices in `facts.functions`: those that
    `facts` lacks are parsed, each from its own lines. `data` are the bytes that gave `facts`."""
    result: dict[int, tuple[Stmt, ...]] = {}
    missing: list[int] = []
    for index in indices:
        body = facts.functions[index].body
        if body is None:
            missing.append(index)
        else:
            result[index] = body
    if not missing:
        return result
    source = decode(data)
    if isinstance(source, Fault):  # the bytes have changed: then there are no functions either
        return dict.fromkeys(missing, ()) | result
    for index in missing:
        body = _body_from_slice(source, facts, index)
        if body is None:
            result.update(_bodies_from_file(source, facts, missing))
            break
        result[index] = body
    return result


def _faulty(fault: Fault) -> FileFacts:
    """The facts of a file that can't be read."""
    return FileFacts(fault, (), (), (), (), (), (), (), None)


def _read(data: bytes, jit_words: frozenset[str]) -> FileFacts:
    source = decode(data)
    if isinstance(source, Fault):
        return _faulty(source)
    tree = _parse(source.text)
    if isinstance(tree, ast.Module):
        facts = index_tree(tree, Converter(source), jit_words)
        ignores = read_ignores(source)
    else:
        concrete = _parse_concrete(source)
        if concrete is None:
            return _faulty(_fault_of(tree, source))
        tree, comments = concrete
        facts = index_tree(tree, Converter(source, characters=True), jit_words)
        ignores = ignores_among(source, comments)
    return msgspec.structs.replace(facts, ignores=ignores) if ignores else facts


def _parse(text: str) -> ast.Module | Exception:
    """The tree, or why there is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except RecursionError:
            pass
        except (SyntaxError, ValueError, MemoryError) as error:
            return error
        try:
            return with_deep_stack(lambda: ast.parse(text))
        except (SyntaxError, ValueError, RuntimeError, MemoryError) as error:
            return error


def _parse_concrete(source: Source) -> tuple[ast.Module, list[tuple[int, int, str]]] | None:
    """The tree and the comments by libcst, whose grammar may be newer; None where it refuses."""
    if nests_too_deep(source.text):
        return None
    from aiter_lint.read.from_cst import parse_tree

    try:
        return with_deep_stack(lambda: parse_tree(source))
    except Exception:  # libcst refuses with an error of its own, or fails in one of many ways
        return None


_TOO_DEEP = Fault("nested too deeply to be parsed", Span(1, 1, 1, 1))


def _fault_of(error: Exception, source: Source) -> Fault:
    if not isinstance(error, SyntaxError):
        return _TOO_DEEP
    line = min(max(error.lineno or 1, 1), len(source.lines))
    column = min(max(error.offset or 1, 1), len(source.lines[line - 1]) + 1)
    return Fault(error.msg, Span(line, column, line, column))


def _body_from_slice(source: Source, facts: FileFacts, index: int) -> tuple[Stmt, ...] | None:
    """A function's body from its own lines; None where they can't be parsed alone."""
    span = facts.functions[index].span
    lines = source.lines[span.line - 1 : span.end_line]
    shift = span.line - 1
    if span.column > 1:
        lines.insert(0, "if 1:")
        shift -= 1
    tree = _parse("\n".join(lines))
    if not isinstance(tree, ast.Module):
        return None
    classes = sum([fact.span.line < span.line for fact in facts.classes])
    functions = number_tree(tree.body, index, classes)
    return Converter(source, shift).body(functions[0].body) if functions else None


def _bodies_from_file(
    source: Source, facts: FileFacts, indices: Iterable[int]
) -> dict[int, tuple[Stmt, ...]]:
    """Function bodies by a parse of the whole file."""
    tree = _parse(source.text)
    characters = not isinstance(tree, ast.Module)
    if not isinstance(tree, ast.Module):
        concrete = _parse_concrete(source)
        tree = ast.Module([], []) if concrete is None else concrete[0]
    functions = number_tree(tree.body, 0, 0)
    convert = Converter(source, characters=characters)
    return {
        index: convert.body(functions[index].body) if index < len(functions) else ()
        for index in indices
    }
