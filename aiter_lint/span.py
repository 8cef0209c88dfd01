"""The one position type. Lines and columns count from 1, columns in characters."""

from __future__ import annotations

from typing import NamedTuple

import msgspec


class Span(msgspec.Struct, frozen=True, array_like=True, gc=False, order=True):
    """A stretch of one file: from the first character up to, not including, the end position."""

    line: int
    column: int
    end_line: int
    end_column: int

    def contains(self, other: Span) -> bool:
        """Whether `other` lies inside this span."""
        return (self.line, self.column) <= (other.line, other.column) and (
            other.end_line,
            other.end_column,
        ) <= (self.end_line, self.end_column)


class Place(NamedTuple):
    """A span in a file; `path` is relative to the project's root, with forward slashes."""

    path: str
    span: Span
