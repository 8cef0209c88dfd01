"""Colours: the few escapes that text formats use."""

from __future__ import annotations

from aiter_lint.finding import Severity

_RESET = "\x1b[0m"
_CODES = {
    "bold": "\x1b[1m",
    "dim": "\x1b[2m",
    "path": "\x1b[1m",
    "gutter": "\x1b[34m",
    "removed": "\x1b[31m",
    "added": "\x1b[32m",
    Severity.ERROR.value: "\x1b[1;31m",
    Severity.WARNING.value: "\x1b[1;33m",
    Severity.ADVICE.value: "\x1b[1;36m",
}


class Style:
    """Paints text, or leaves it as it is."""

    def __init__(self, color: bool) -> None:
        self._color = color

    def paint(self, text: str, style: str) -> str:
        """The text in a style: bold, dim, path, gutter, removed, added or a severity."""
        return f"{_CODES[style]}{text}{_RESET}" if self._color and text else text
