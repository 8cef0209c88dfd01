"""A file that is to be edited: its text as it stands, so that what is not edited stays as it is."""

from __future__ import annotations

import functools
import io
import re
import tokenize
from bisect import bisect_right
from collections.abc import Iterable

from aiter_lint.finding import Edit
from aiter_lint.read.facts import Fault
from aiter_lint.read.source import decode
from aiter_lint.span import Span

_LINE_END = re.compile(r"\r\n|\r|\n")
_BOM = b"\xef\xbb\xbf"


class Unfixable(Exception):
    """Why something can't be fixed, for the person who then has to do it."""


class Document:
    """One file's text, with its own line ends, and the way back to bytes.

    Positions are those of findings: lines end in `\\r\\n`, `\\r` or `\\n`, the BOM counts not."""

    def __init__(self, path: str, data: bytes) -> None:
        source = decode(data)
        if isinstance(source, Fault):
            raise Unfixable(source.message)
        self.path = path
        self.data = data
        self.bom = data.startswith(_BOM)
        bare = data[len(_BOM) :] if self.bom else data
        self.encoding = tokenize.detect_encoding(io.BytesIO(bare).readline)[0]
        self.text = bare.decode(self.encoding)
        if self.text.encode(self.encoding) != bare:
            raise Unfixable(f"{self.encoding} would not give the same bytes back")
        self.plain = source.text  # with \n line ends, as the read stage saw it
        self.lines = source.lines
        self._starts = [0]
        self._ends: list[str] = []
        for match in _LINE_END.finditer(self.text):
            self._starts.append(match.end())
            self._ends.append(match.group())

    # --- reading

    def line(self, number: int) -> str:
        """A line without its end; empty beyond the file."""
        return self.lines[number - 1] if 0 < number <= len(self.lines) else ""

    def indent(self, number: int) -> str:
        """The white space that a line begins with."""
        line = self.line(number)
        return line[: len(line) - len(line.lstrip())]

    def slice(self, span: Span) -> str:
        """The text that a span covers, with `\\n` line ends."""
        text = self.text[self.offset(span.line, span.column) :]
        text = text[: self.offset(span.end_line, span.end_column) - len(self.text) + len(text)]
        return _LINE_END.sub("\n", text)

    def offset(self, line: int, column: int) -> int:
        """Where a position is in `text`."""
        if line > len(self._starts):
            return len(self.text)
        return min(self._starts[line - 1] + column - 1, len(self.text))

    def position(self, offset: int) -> tuple[int, int]:
        """The line and column of an offset in `text`."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def newline(self, number: int) -> str:
        """How a line ends, or would end after its neighbours' fashion."""
        if not self._ends:
            return "\n"
        return self._ends[min(number, len(self._ends)) - 1]

    def blank(self, number: int) -> bool:
        """Whether the line exists and holds nothing."""
        return 0 < number <= len(self.lines) and not self.line(number).strip()

    @functools.cached_property
    def unit(self) -> str:
        """One step of indentation."""
        tabs = sum(line.startswith("\t") for line in self.lines)
        spaces = sum(line.startswith("  ") for line in self.lines)
        return "\t" if tabs > spaces else "    "

    def starts_line(self, line: int, column: int) -> bool:
        """Whether only white space stands before a position."""
        return not self.line(line)[: column - 1].strip()

    # --- editing

    def replace(self, span: Span, content: str) -> Edit:
        """An edit whose content has the line ends of its surroundings."""
        newline = self.newline(span.line)
        return Edit(self.path, span, content.replace("\n", newline))

    def insert(self, line: int, column: int, content: str) -> Edit:
        """An edit that puts text before a position."""
        return self.replace(Span(line, column, line, column), content)

    def range(self, edit: Edit) -> tuple[int, int]:
        """The stretch of `text` that an edit replaces."""
        span = edit.span
        return self.offset(span.line, span.column), self.offset(span.end_line, span.end_column)

    def edited(self, edits: Iterable[Edit]) -> bytes:
        """The file's bytes after edits that don't overlap."""
        pieces = []
        end = 0
        for (start, stop), content in sorted((self.range(e), e.content) for e in edits):
            if start < end:
                raise ValueError("edits overlap")
            pieces += self.text[end:start], content
            end = stop
        text = "".join([*pieces, self.text[end:]])
        return (_BOM if self.bom else b"") + text.encode(self.encoding)
