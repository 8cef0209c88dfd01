"""JSON text as expressions with places."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from records import shown

from aiter_lint.read.facts import Fault
from aiter_lint.read.json_text import read_json
from aiter_lint.read.syntax import Const, Dict, Expr, Seq
from aiter_lint.span import Span


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("null", "Const(None)"),
        (" -2 ", "Const(-2)"),
        ("2.5e1", "Const(25.0)"),
        ('"\\u00e9\\n"', "Const('é\\n')"),
        ("-Infinity", "Const(-inf)"),
        ("[]", "Seq('list', ())"),
        ('[1, "a"]', "Seq('list', (Const(1), Const('a')))"),
        ('{"a": 1, "a": {}}', "Dict((Entry(Const('a'), Const(1)), Entry(Const('a'), Dict(()))))"),
        ("12345678901234567890", "Opaque('large number')"),
        ('"\\ud800"', "Opaque('surrogates')"),
    ],
)
def test_values(text: str, expected: str) -> None:
    assert shown(read_json(text.encode())) == expected


def test_places() -> None:
    value = read_json('\ufeff{"é": [\n  -1, "ü"]}\n'.encode())
    assert isinstance(value, Dict)
    entry = value.entries[0]
    assert entry.key is not None
    assert isinstance(entry.value, Seq)
    assert value.span == Span(1, 1, 2, 12)
    assert entry.key.span == Span(1, 2, 1, 5)
    assert [item.span for item in entry.value.items] == [Span(2, 3, 2, 5), Span(2, 7, 2, 10)]


@pytest.mark.parametrize(
    ("text", "message", "column"),
    [
        (b"", "a value is missing", 1),
        (b"[1,]", "a value is missing", 4),
        (b'{"a": 1,}', "a key in double quotes is missing", 9),
        (b"{a: 1}", "a key in double quotes is missing", 2),
        (b'{"a" 1}', "`:` is missing", 6),
        (b'{"a": 1', "`,` or `}` is missing", 8),
        (b"[1 2]", "`,` or `]` is missing", 4),
        (b"1 2", "something follows the value", 3),
        (b"01", "something follows the value", 2),
        (b'"a', "unterminated string starting at", 1),
        (b"[" * 100_000, "nested too deeply", 62),
        (b'{"a":' * 100_000, "nested too deeply", 306),
    ],
)
def test_faults(text: bytes, message: str, column: int) -> None:
    fault = read_json(text)
    assert isinstance(fault, Fault)
    assert fault.message == f"invalid JSON: {message}"
    assert fault.span == Span(1, column, 1, column)


def test_undecodable() -> None:
    fault = read_json(b'{"a": "\xff"}')
    assert isinstance(fault, Fault)
    assert fault.span.column == 8


def plain(value: Expr) -> object:
    if isinstance(value, Dict):
        return {plain(entry.key): plain(entry.value) for entry in value.entries if entry.key}
    if isinstance(value, Seq):
        return [plain(item) for item in value.items]
    assert isinstance(value, Const)
    return value.value


LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text('ab"\\é\n'), inner, max_size=4)
    ),
)


@settings(max_examples=60, deadline=None)
@given(VALUES, st.sampled_from([None, 1]), st.booleans())
def test_the_same_as_python_reads(value: object, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    found = read_json(text.encode())
    assert not isinstance(found, Fault)
    assert plain(found) == value
