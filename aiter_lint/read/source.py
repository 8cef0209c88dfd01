"""Bytes to text, and columns as an editor counts them."""

from __future__ import annotations

import re
from bisect import bisect_right
from codecs import BOM_UTF8

from aiter_lint.read.facts import Fault
from aiter_lint.span import Span

# A line or a file beyond these is generated data; parsing it would take a minute and gigabytes.
LONGEST_LINE = 10_000_000
LONGEST_FILE = 64_000_000

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")


class Source:
    """A decoded file: its text without BOM and with `\\n` line ends, and its lines."""

    def __init__(self, text: str) -> None:
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.text = text
        self.ascii = text.isascii()
        self._lines: list[str] | None = None
        self._utf8: bytes | None = None
        self._wide: dict[int, tuple[list[int], list[int]] | None] | None = None

    @property
    def lines(self) -> list[str]:
        """The lines without their ends; only `\\n` ends a line, not a form feed."""
        if self._lines is None:
            self._lines = self.text.split("\n")
        return self._lines

    @property
    def utf8(self) -> bytes:
        """The text in UTF-8, for searches that are faster on bytes."""
        if self._utf8 is None:
            self._utf8 = self.text.encode("utf-8", "surrogatepass")
        return self._utf8

    @property
    def wide(self) -> dict[int, tuple[list[int], list[int]] | None]:
        """The numbers of the lines in which a character is not a byte."""
        if self._wide is None:
            lines = [] if self.ascii else self.lines
            self._wide = {
                number: None for number, line in enumerate(lines, 1) if not line.isascii()
            }
        return self._wide

    def column(self, line: int, offset: int) -> int:
        """The column (from 1) of a UTF-8 byte offset in a line (from 1), as `ast` gives it."""
        if line not in self.wide:
            return offset + 1
        known = self.wide[line]
        if known is None:
            known = self.wide[line] = _wide_characters(self.lines[line - 1])
        ends, extra = known
        return offset + 1 - extra[bisect_right(ends, offset)]

    def slice(self, span: Span) -> str:
        """The text that a span covers."""
        lines = self.lines[span.line - 1 : span.end_line]
        if len(lines) == 1:
            return lines[0][span.column - 1 : span.end_column - 1]
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return "\n".join(lines)


def decode(data: bytes) -> Source | Fault:
    """The text of a file by its BOM and PEP 263 cookie; a Fault says why there is none."""
    if len(data) > LONGEST_FILE:
        return _fault(f"the file is too large to be read ({len(data):,} bytes)")
    bom = data.startswith(BOM_UTF8)
    if bom:
        data = data[3:]
    if b"\0" in data:
        line, column = _place(data, data.index(b"\0"))
        return _fault("source code cannot contain null bytes", line, column)
    encoding = _cookie(data)
    if encoding is None or encoding.lower().replace("_", "-") in ("utf-8", "utf8", "utf-8-sig"):
        encoding = "utf-8"
    elif bom:
        return _fault(f"encoding problem: {encoding} with BOM")
    try:
        text = data.decode(encoding)
        if encoding != "utf-8":
            text.encode("utf-8")
    except UnicodeDecodeError as error:
        line, column = _place(data, error.start)
        byte = data[error.start]
        return _fault(f"byte 0x{byte:02x} cannot be decoded as {encoding}", line, column)
    except Exception:  # a codec may raise anything: an unknown name, a codec that is not for text
        return _fault(f"unknown encoding: {encoding}")
    if "\0" in text:
        return _fault("source code cannot contain null bytes")
    source = Source(text)
    if len(source.text) > LONGEST_LINE:
        for number, line in enumerate(source.lines, 1):
            if len(line) > LONGEST_LINE:
                return _fault(f"the line is too long to be read ({len(line):,} characters)", number)
    return source


def _cookie(data: bytes) -> str | None:
    """The encoding that a comment in the first two lines declares."""
    start = data[:400]
    if b"coding" not in start:
        return None
    for line in re.split(rb"\r\n|\r|\n", start)[:2]:
        match = _COOKIE.match(line)
        if match:
            return match[1].decode("ascii", "replace")
        if not _BLANK.match(line):
            return None
    return None


def _fault(message: str, line: int = 1, column: int = 1) -> Fault:
    return Fault(message, Span(line, column, line, column))


def _place(data: bytes, offset: int) -> tuple[int, int]:
    """Line and column of a byte offset, for a file that has no text."""
    before = data[:offset].decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - before.rfind("\n")


def _wide_characters(line: str) -> tuple[list[int], list[int]]:
    """The byte offsets where a line's multi-byte characters end, and the surplus bytes so far."""
    ends: list[int] = []
    extra = [0]
    surplus = 0
    for index, character in enumerate(line):
        code = ord(character)
        if code >= 0x80:
            surplus += 1 if code < 0x800 else 2 if code < 0x10000 else 3
            ends.append(index + 1 + surplus)
            extra.append(surplus)
    return ends, extra
