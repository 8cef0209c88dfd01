"""Text of linted files and their names, made safe to print.

A file's name or a line of code may hold anything: escapes that move a terminal's cursor,
characters that turn the reading direction around, newlines that begin a CI system's command.
"""

from __future__ import annotations

import re

# Compiled when the first odd character is met: most runs meet none.
_UNSAFE = (
    "[\x00-\x1f\x7f-\x9f"  # control characters, tab and newline among them
    "\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"  # invisible, or change the direction
    "\u2028\u2029"  # line ends to some programs
    "\ud800-\udfff\ufff9-\ufffb]"  # no characters: undecoded bytes of a file's name, annotations
    "|[\U000e0000-\U000e0fff]"  # tags
)

TAB = 4


def plain(text: str) -> str:
    """The text on one line, everything that a terminal or a log would act on as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return re.sub(_UNSAFE, _escape, text)


def cells(line: str) -> list[str]:
    """A source line as it is printed, character by character: tabs as spaces, the rest `plain`."""
    shown: list[str] = []
    column = 0
    for character in line:
        if character == "\t":
            text = " " * (TAB - column % TAB)
        else:
            text = plain(character)
        shown.append(text)
        column += len(text)
    return shown


def width(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    import unicodedata

    return sum(
        0
        if unicodedata.combining(character)
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
