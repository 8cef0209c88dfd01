"""JSON text as expressions with exact places: the config files that a project's loaders read."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from aiter_lint.read.facts import Fault
from aiter_lint.read.source import decode
from aiter_lint.read.syntax import Const, Dict, Entry, Expr, Opaque, Seq
from aiter_lint.span import Span

DEEPEST = 60

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?", re.ASCII)
_WORD = re.compile(r"true|false|null|NaN|-?Infinity")
_WORDS = {"true": True, "false": False, "null": None}


def read_json(data: bytes) -> Expr | Fault:
    """The value that a JSON file holds, as Dict, Seq and Const; a fault says why there is none.

    Objects keep repeated keys, in order; NaN and Infinity are read as Python's json does."""
    source = decode(data)
    if isinstance(source, Fault):
        return source
    scanner = _Scanner(source.text)
    try:
        start = scanner.skip(0)
        value, end = scanner.value(start, 0)
        end = scanner.skip(end)
        if end < len(source.text):
            raise _Refused("something follows the value", end)
    except _Refused as error:
        return Fault(f"invalid JSON: {error.message}", scanner.span(error.offset, error.offset))
    return value


class _Refused(Exception):
    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class _Scanner:
    """Reads values at offsets of a text; each method returns what it read and where it ended."""

    def __init__(self, text: str) -> None:
        from json.decoder import JSONDecodeError, scanstring

        self.text = text
        self._string = scanstring
        self._error = JSONDecodeError
        lengths = [len(line) + 1 for line in text.split("\n")]
        self._starts = [0, *accumulate(lengths)]

    def span(self, start: int, end: int) -> Span:
        line = bisect_right(self._starts, start)
        end_line = bisect_right(self._starts, end)
        column = start - self._starts[line - 1] + 1
        return Span(line, column, end_line, end - self._starts[end_line - 1] + 1)

    def skip(self, offset: int) -> int:
        return _SPACE.match(self.text, offset).end()

    def value(self, start: int, depth: int) -> tuple[Expr, int]:
        if depth > DEEPEST:
            raise _Refused("nested too deeply", start)
        first = self.text[start : start + 1]
        if first == "{":
            return self._object(start, depth + 1)
        if first == "[":
            return self._array(start, depth + 1)
        if first == '"':
            return self._text(start)
        match = _WORD.match(self.text, start)
        if match:
            word = match[0]
            value = _WORDS[word] if word in _WORDS else float(word)
            return Const(value, self.span(start, match.end())), match.end()
        match = _NUMBER.match(self.text, start)
        if match is None:
            raise _Refused("a value is missing", start)
        span = self.span(start, match.end())
        if match[1] or match[2]:
            return Const(float(match[0]), span), match.end()
        value = int(match[0]) if len(match[0]) <= 20 else 2**63
        if not -(2**63) <= value < 2**63:
            return Opaque("large number", span), match.end()
        return Const(value, span), match.end()

    def _text(self, start: int) -> tuple[Expr, int]:
        try:
            value, end = self._string(self.text, start + 1, True)
        except self._error as error:
            raise _Refused(error.msg.lower(), error.pos) from None
        span = self.span(start, end)
        if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
            return Opaque("surrogates", span), end
        return Const(value, span), end

    def _array(self, start: int, depth: int) -> tuple[Expr, int]:
        items = []
        end = self.skip(start + 1)
        if self.text[end : end + 1] != "]":
            while True:
                item, end = self.value(end, depth)
                items.append(item)
                end = self.skip(end)
                if self.text[end : end + 1] != ",":
                    break
                end = self.skip(end + 1)
            if self.text[end : end + 1] != "]":
                raise _Refused("`,` or `]` is missing", end)
        return Seq("list", tuple(items), self.span(start, end + 1)), end + 1

    def _object(self, start: int, depth: int) -> tuple[Expr, int]:
        entries = []
        end = self.skip(start + 1)
        if self.text[end : end + 1] != "}":
            while True:
                if self.text[end : end + 1] != '"':
                    raise _Refused("a key in double quotes is missing", end)
                key, end = self._text(end)
                end = self.skip(end)
                if self.text[end : end + 1] != ":":
                    raise _Refused("`:` is missing", end)
                value, end = self.value(self.skip(end + 1), depth)
                entries.append(Entry(key, value))
                end = self.skip(end)
                if self.text[end : end + 1] != ",":
                    break
                end = self.skip(end + 1)
            if self.text[end : end + 1] != "}":
                raise _Refused("`,` or `}` is missing", end)
        return Dict(tuple(entries), self.span(start, end + 1)), end + 1
