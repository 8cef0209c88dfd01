"""Records as short text, without spans: what a test expects can be read at a glance."""

from __future__ import annotations

import msgspec

from aiter_lint.read.facts import FileFacts, Function
from aiter_lint.read.reader import read_file
from aiter_lint.span import Span


def facts_of(text: str) -> FileFacts:
    """The facts of a text that parses."""
    facts = read_file(text.encode())
    assert facts.fault is None
    return facts


def function_of(text: str, name: str) -> Function:
    """The last function of that name in a text."""
    return [function for function in facts_of(text).functions if function.name == name][-1]


def shown(record: object) -> str:
    """`Call(Name('f'), (Arg(None, Const(1)),))` for `f(1)`."""
    if isinstance(record, msgspec.Struct):
        fields = [getattr(record, name) for name in record.__struct_fields__]
        parts = [shown(field) for field in fields if not isinstance(field, Span)]
        return f"{type(record).__name__}({', '.join(parts)})"
    if isinstance(record, tuple):
        parts = [shown(item) for item in record]
        return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    return repr(record)
