"""Cheap searches in a file's bytes that say where it is worth looking closer."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

# What a launch, a builder call or a jit call inside a function looks like.
_MARKS = (
    b"](",
    b"] (",
    b".run(",
    b".warmup(",
    b"wrap_triton",
    b"ASTSource",
    b"partial(",
    b"jit(",
    b"autotune(",
    b"heuristics(",
    b"_repr(",
    b".fn[",
)

# Keeps what names are made of and `(`, blanks the rest.
_WORD = bytes(
    byte if byte >= 0x80 or chr(byte).isalnum() or byte in b"_(" else 0x20 for byte in range(256)
)
_KEYWORDS = frozenset(keyword.kwlist)
_TAIL = re.compile(rb"[\w\x80-\xff]+\Z")
_JIT_ARGUMENT = re.compile(rb"jit\((?:[^()]*\)\()?\s*(\w+)")


def marked_lines(data: bytes) -> list[int]:
    """The lines, in order, that may hold a launch or build a kernel."""
    return _lines_of(data, _offsets(data, _MARKS))


def lines_with(data: bytes, word: bytes) -> list[int]:
    """The lines, in order, that hold a word, wherever it stands."""
    return _lines_of(data, _offsets(data, (word,)))


def lines_calling(data: bytes, names: Iterable[str]) -> dict[str, list[int]]:
    """For each name the lines where `name(` occurs. Comments and strings count too: a hint
    where to look, not a proof."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    result = {}
    for name in names:
        word = name.encode("utf-8", "replace")
        offsets = []
        start = data.find(word)
        while start >= 0:
            end = start + len(word)
            after = data[end : end + 1]
            if after != b"(" and after in (b" ", b"\t", b"\\", b"\n"):
                after = data[end : end + 80].lstrip(b" \t\\\n")[:1]
            if after == b"(" and not _TAIL.match(data[start - 1 : start] if start else b""):
                offsets.append(start)
            start = data.find(word, end)
        if offsets:
            result[name] = _lines_of(data, offsets)
    return result


def called_names(data: bytes) -> tuple[str, ...]:
    """The names that stand before a `(` anywhere, sorted; those in comments and strings too."""
    pieces = data.translate(_WORD).split(b"(")
    del pieces[-1]
    found = {piece[piece.rfind(b" ") + 1 :] for piece in pieces}
    for space in (b" (", b"\t(", b"\n("):
        if space in data:
            for piece in data.split(space)[:-1]:
                tail = piece[-80:].rstrip(b" \t\n\\").replace(b"(", b" ").translate(_WORD)
                found.add(tail[tail.rfind(b" ") + 1 :])
    names = {word.decode("utf-8", "replace") for word in found}
    return tuple(sorted([name for name in names - _KEYWORDS if name.isidentifier()]))


def quoted_names(text: str) -> tuple[str, ...]:
    """The identifiers that stand alone between quotes, sorted."""
    pieces = set(text.split('"'))
    pieces.update(text.split("'"))
    return tuple(sorted(piece for piece in pieces if piece.isidentifier()))


def jit_arguments(data: bytes) -> frozenset[str]:
    """The names that are handed to something called `...jit(name` or `...jit(...)(name`."""
    if b"jit(" not in data:
        return frozenset()
    return frozenset(name.decode("ascii") for name in _JIT_ARGUMENT.findall(data))


def _offsets(data: bytes, marks: tuple[bytes, ...]) -> list[int]:
    offsets = []
    for mark in marks:
        start = data.find(mark)
        while start >= 0:
            offsets.append(start)
            start = data.find(mark, start + len(mark))
    offsets.sort()
    return offsets


def _lines_of(data: bytes, offsets: list[int]) -> list[int]:
    """Line numbers of ascending offsets, without repeats."""
    lines: list[int] = []
    line, position = 1, 0
    for offset in offsets:
        line += data.count(b"\n", position, offset)
        position = offset
        if not lines or lines[-1] != line:
            lines.append(line)
    return lines
