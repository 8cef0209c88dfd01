"""The lines of the files that findings are in, read once each."""

from __future__ import annotations

from collections.abc import Callable


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
