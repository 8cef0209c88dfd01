"""Which blocks lead to a place in a file, from the module inwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from aiter_lint.read import syntax as s
from aiter_lint.read.facts import FileFacts
from aiter_lint.span import Span

Body = tuple[s.Stmt, ...]


class Step(NamedTuple):
    """A block on the way, and the index of the statement in it that leads on. `part` is
    `module`, `if`, `else`, `loop`, `try`, `except`, `finally`, `with`, `case`, `def`, `class`."""

    part: str
    body: Body
    index: int

    @property
    def statement(self) -> s.Stmt:
        """The statement that leads on."""
        return self.body[self.index]


def steps_to(facts: FileFacts, span: Span, function_body: Callable[[int], Body]) -> list[Step]:
    """The blocks around a span, outermost first; empty where no statement holds it."""
    steps: list[Step] = []
    blocks = [("module", facts.body)]
    while blocks:
        found = None
        for part, body in blocks:
            for index, statement in enumerate(body):
                if extent(facts, statement).contains(span):
                    found = Step(part, body, index)
                    break
            if found:
                break
        if found is None:
            break
        steps.append(found)
        blocks = list(parts(facts, found.statement, function_body))
    return steps


def parts(
    facts: FileFacts, statement: s.Stmt, function_body: Callable[[int], Body] | None = None
) -> Iterator[tuple[str, Body]]:
    """The blocks of a compound statement. Those of functions only where `function_body` is
    there to get them."""
    kind = type(statement)
    if kind is s.If:
        yield "if", statement.body
        yield "else", statement.other
    elif kind is s.For or kind is s.While:
        yield "loop", statement.body
        yield "else", statement.other
    elif kind is s.With:
        yield "with", statement.body
    elif kind is s.Try:
        yield "try", statement.body
        for handler in statement.handlers:
            yield "except", handler.body
        yield "else", statement.other
        yield "finally", statement.final
    elif kind is s.Match:
        for case in statement.cases:
            yield "case", case.body
    elif kind is s.Class:
        yield "class", facts.classes[statement.index].body
    elif kind is s.Def and function_body is not None:
        yield "def", function_body(statement.index)


def extent(facts: FileFacts, statement: s.Stmt) -> Span:
    """The span of a statement with its decorators."""
    span = statement.span
    if type(statement) is s.Def:
        function = facts.functions[statement.index]
        head = function.head_span
        return Span(head.line, head.column, function.span.end_line, function.span.end_column)
    if type(statement) is s.Class:
        fact = facts.classes[statement.index]
        line = min([fact.span.line, *(decorator.span.line for decorator in fact.decorators)])
        return Span(line, fact.span.column, fact.span.end_line, fact.span.end_column)
    return span


def module_blocks(facts: FileFacts) -> Iterator[tuple[tuple[str, ...], tuple[s.Stmt, ...], Body]]:
    """Every block that runs when the module is imported, except those for type checkers and for
    scripts: the kinds of block that lead to it, the statements that hold it, and itself."""
    pending: list[tuple[tuple[str, ...], tuple[s.Stmt, ...], Body]] = [
        (("module",), (), facts.body)
    ]
    while pending:
        kinds, holders, body = pending.pop()
        yield kinds, holders, body
        for statement in reversed(body):
            skip = type(statement) is s.If and _never_at_import(statement.test)
            inner = list(parts(facts, statement))
            for part, block in reversed(inner):
                if block and not (skip and part == "if"):
                    pending.append(((*kinds, part), (*holders, statement), block))


def _never_at_import(test: s.Expr) -> bool:
    if type(test) is s.Compare:
        return any(type(part) is s.Name and part.id == "__name__" for part in test.operands)
    name = test.id if type(test) is s.Name else test.name if type(test) is s.Attr else ""
    return name == "TYPE_CHECKING"
