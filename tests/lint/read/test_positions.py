"""Encodings, line ends and columns: a place is where an editor shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from aiter_lint.read.facts import FileFacts
from aiter_lint.read.reader import read_file
from aiter_lint.read.source import Source, decode
from aiter_lint.read.syntax import Attr, Const, Name, Text
from aiter_lint.span import Span

ASSETS = sorted(Path(__file__).parent.glob("assets/*.py.txt"))
KERNEL = "# é\nx = 'ü🎉'; k[g](ä, size=2)\n"


def records(value: object) -> Iterator[msgspec.Struct]:
    """All records in a value, but not those inside an f-string: they have its place."""
    if isinstance(value, tuple):
        for item in value:
            yield from records(item)
    elif isinstance(value, msgspec.Struct):
        yield value
        if type(value) is not Text:
            for name in value.__struct_fields__:
                yield from records(getattr(value, name))


def source_of(data: bytes) -> Source:
    source = decode(data)
    assert isinstance(source, Source)
    return source


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.name)
def test_spans_cover_what_they_name(path: Path) -> None:
    data = path.read_bytes()
    source = source_of(data)
    facts = read_file(data)
    for record in records((facts.body, facts.functions, facts.classes)):
        if type(record) is Name:
            assert source.slice(record.span) == record.id
        elif type(record) is Attr:
            assert source.slice(record.span).rstrip().endswith(record.name)
        elif type(record) is Const and type(record.value) in (bool, type(None)):
            assert source.slice(record.span) == str(record.value)
    for function in facts.functions:
        assert source.slice(function.name_span) == function.name
        assert source.slice(function.span).startswith(("def", "async"))
        head = source.slice(function.head_span)
        assert head.startswith(("@", "def", "async"))
        assert head.endswith(":")
        assert function.name in head


def launch_span(facts: FileFacts) -> Span:
    assert facts.fault is None
    return facts.body[-1].span


@pytest.mark.parametrize(
    "data",
    [
        KERNEL.encode(),
        b"\xef\xbb\xbf" + KERNEL.encode(),
        KERNEL.encode().replace(b"\n", b"\r\n"),
        KERNEL.encode().replace(b"\n", b"\r"),
        KERNEL.replace("🎉", "").replace("# é", "# coding: latin-1").encode("latin-1"),
        KERNEL.replace("# é", "# -*- coding: gb18030 -*-").encode("gb18030"),
    ],
    ids=["utf-8", "bom", "crlf", "cr", "latin-1", "gb18030"],
)
def test_columns_are_characters(data: bytes) -> None:
    facts = read_file(data)
    span = launch_span(facts)
    assert source_of(data).slice(span) == "k[g](ä, size=2)"
    assert (span.line, span.end_column - span.column) == (2, 15)


def test_a_form_feed_is_a_character_and_ends_no_line() -> None:
    assert launch_span(read_file(b"x = 1\n\x0c\ny = 1\n\x0ck[g]()\n")) == Span(4, 2, 4, 8)


def test_a_tab_is_one_column() -> None:
    assert launch_span(read_file(b"x =\t1;\tk[g]()\n")) == Span(1, 8, 1, 14)


def test_other_line_separators_end_no_line() -> None:
    text = "x = '\x1c\x85\u2028'; k[g]()\n"
    assert launch_span(read_file(text.encode())) == Span(1, 12, 1, 18)


def test_an_identifier_that_python_normalises() -> None:
    facts = read_file("def ﬁnd(): k[g]()\n".encode())
    assert facts.functions[0].name == "find"
    assert facts.functions[0].name_span.column == 5


@pytest.mark.parametrize(
    ("data", "message", "line", "column"),
    [
        (b"x = 1\ny = \xff\n", "byte 0xff cannot be decoded as utf-8", 2, 5),
        (b"# coding: ascii\ny = '\xe9'\n", "byte 0xe9 cannot be decoded as ascii", 2, 6),
        (b"# coding: no-such-thing\n", "unknown encoding: no-such-thing", 1, 1),
        (b"# coding: rot13\n", "unknown encoding: rot13", 1, 1),
        (b"\xef\xbb\xbf# coding: latin-1\n", "encoding problem: latin-1 with BOM", 1, 1),
        (b"x = 1\n\0", "source code cannot contain null bytes", 2, 1),
        (b"x = (\n", "'(' was never closed", 1, 5),
    ],
)
def test_faults(data: bytes, message: str, line: int, column: int) -> None:
    facts = read_file(data)
    assert facts.fault is not None
    assert facts.fault.message == message
    assert (facts.fault.span.line, facts.fault.span.column) == (line, column)
    assert facts.body == facts.functions == facts.imports == ()


def test_the_cookie_counts_in_the_first_two_lines_only() -> None:
    assert read_file(b"\n\n# coding: no-such-thing\nx = 1\n").fault is None
    assert read_file(b"x = 1\n# coding: no-such-thing\n").fault is None
    assert read_file(b"#!/bin/sh\n# vim: set fileencoding=latin-1 :\nx = '\xe9'\n").fault is None
