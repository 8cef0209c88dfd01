"""Where output goes: streams that break or speak another encoding, colours, one-line messages."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # this loads on every start: typing alone takes a fifth of Python's
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import IO

    from aiter_lint.cli.progress import Bar

_record: list[tuple[str, str]] | None = None


def record() -> None:
    """From now on keep what is printed."""
    global _record
    _record = []


def recorded() -> list[tuple[str, str]]:
    """What was printed since then, and in which way: `text`, `data` or `error`."""
    global _record
    pieces, _record = _record or [], None
    return pieces


def play(pieces: Iterable[tuple[str, str]]) -> None:
    """Print once more what was recorded."""
    output = Output()
    for way, text in pieces:
        if way == "error":
            say(text)
        else:
            (output.data if way == "data" else output.text)([text])


def write(pieces: Iterable[str], path: str | None, *, data: bool) -> list[str]:
    """Write output to a file, or else to standard output; gives what went wrong. `data` is read
    by programs."""
    output = Output()
    if path is None or path == "":
        (output.data if data else output.text)(pieces)
        return []
    try:
        with open(path, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.writelines(pieces)
    except OSError as error:
        from aiter_lint.settings import shown

        return [f"{shown(path)}: can't be written: {error.strerror}"]
    return []


def bar(setting: str) -> Bar | None:
    """A progress bar, where somebody could see it."""
    if not sys.stderr.isatty():
        return None
    from aiter_lint.cli.progress import Bar

    return Bar(color=wants_color(setting, sys.stderr))


class Output:
    """Standard output of a command. A reader that closed its end is no error: the rest of the
    output is dropped, and the exit code is what it would have been."""

    def __init__(self) -> None:
        self._open = True

    def text(self, pieces: Iterable[str]) -> None:
        """Write for people: characters that the terminal lacks become escapes."""
        stream = sys.stdout
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
        self._write(stream, _kept("text", pieces))

    def data(self, pieces: Iterable[str]) -> None:
        """Write for programs: UTF-8 and `\\n`, whatever the terminal speaks."""
        buffer = getattr(sys.stdout, "buffer", None)
        pieces = _kept("data", pieces)
        if buffer is None:
            self._write(sys.stdout, pieces)
            return
        sys.stdout.flush()
        self._write(buffer, (piece.encode("utf-8", "backslashreplace") for piece in pieces))

    def raw(self, data: bytes) -> None:
        """Write bytes as they are."""
        sys.stdout.flush()
        self._write(sys.stdout.buffer, [data])

    def _write(self, stream: IO[str] | IO[bytes], pieces: Iterable[str | bytes]) -> None:
        for piece in pieces:  # to the end, also when nobody reads it
            if not self._open:
                continue
            try:
                stream.write(piece)  # type: ignore[arg-type]
            except BrokenPipeError:
                self._close()
        if self._open:
            try:
                stream.flush()
            except BrokenPipeError:
                self._close()

    def _close(self) -> None:
        self._open = False
        # what Python still holds must go somewhere when it exits
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


def error(message: str) -> None:
    """One line about what makes the run fail."""
    _say("error", message)


def note(message: str) -> None:
    """One line that somebody may want to know."""
    _say("note", message)


def say(text: str) -> None:
    """Lines on standard error."""
    _keep("error", text)
    stream = sys.stderr
    try:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
        stream.write(text)
        stream.flush()
    except OSError:
        pass  # nobody listens


def _kept(way: str, pieces: Iterable[str]) -> Iterable[str]:
    for piece in pieces:
        _keep(way, piece)
        yield piece


def _keep(way: str, text: str) -> None:
    if _record is not None:
        _record.append((way, text))


def _say(kind: str, message: str) -> None:
    message = " ".join(message.split("\n"))
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)
    say(f"aiter-lint: {kind}: {plain}\n")


def wants_color(setting: str, stream: IO[str]) -> bool:
    """Whether to write escapes for colours. The option decides, then NO_COLOR and FORCE_COLOR,
    then whether the stream is a terminal that knows them."""
    if setting != "auto":
        return setting == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"
