"""The lines of the files that findings are in, read once each."""

from __future__ import annotations

import os
from collections.abc import Callable

from aiter_lint.read.source import Source, decode


class Lines:
    """Gives a file's lines by its path in the findings; none where there is no text."""

    def __init__(self, text: Callable[[str], str | None]) -> None:
        self._text = text
        self._known: dict[str, list[str]] = {}

    def __call__(self, path: str) -> list[str]:
        lines = self._known.get(path)
        if lines is None:
            text = self._text(path)
            lines = self._known[path] = [] if text is None else text.split("\n")
        return lines

    def line(self, path: str, number: int) -> str:
        """One line, counted from 1; empty where the file has none of that number."""
        lines = self(path)
        return lines[number - 1] if 1 <= number <= len(lines) else ""


def text_on_disk(root: str) -> Callable[[str], str | None]:
    """`Report.text` for files as they are on disk below `root`."""

    def text(path: str) -> str | None:
        full = os.path.join(root, path)
        try:
            if not os.path.isfile(full):
                return None
            with open(full, "rb") as file:
                source = decode(file.read())
        except OSError:
            return None
        return source.text if isinstance(source, Source) else None

    return text
