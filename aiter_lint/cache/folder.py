"""The cache's folder: made where it is missing, written to in whole files, kept small."""

from __future__ import annotations

import os
import time

TICK = 20_000_000
"""Nanoseconds for which a file system's clock may stand still: a change within the tick of
an earlier one need not show in mtime or ctime."""

_MOST = {"answer-": 32, "facts-": 4}  # files of a kind that are kept
_ABANDONED = 600  # seconds after which a temporary file belongs to a run that was killed

_FILES = {
    ".gitignore": "# Made by aiter-lint.\n*\n",
    "CACHEDIR.TAG": (
        "Signature: 8a477f597d28d172789f06886806bc55\n"
        "# This folder holds the cache of aiter-lint and can be removed at any time.\n"
        "# See https://bford.info/cachedir/\n"
    ),
}


class Folder:
    """A folder for files that can be made anew. Nothing here raises: what can't be read is not
    there, and what can't be written is not kept."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.usable = self._open()

    def read(self, name: str) -> bytes | None:
        """The content of a file; None where there is none."""
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            descriptor = os.open(os.path.join(self.path, name), flags | getattr(os, "O_BINARY", 0))
            with open(descriptor, "rb") as file:
                return file.read()
        except OSError:
            return None

    def write(self, name: str, data: bytes) -> None:
        """Replace a file in one step: nobody ever reads half of it."""
        if not self.usable:
            return
        temporary = os.path.join(self.path, f"{name}.{os.getpid()}.tmp")
        try:
            with open(temporary, "xb") as file:
                file.write(data)
            os.replace(temporary, os.path.join(self.path, name))
        except OSError:
            try:
                os.unlink(temporary)
            except OSError:
                pass
        self._tidy()

    def _open(self) -> bool:
        try:
            os.makedirs(self.path)
        except FileExistsError:
            return os.path.isdir(self.path)
        except OSError:
            return False
        for name, text in _FILES.items():
            self.usable = True
            self.write(name, text.encode())
        time.sleep(TICK / 1e9)  # the folder around has changed just now
        return True

    def _tidy(self) -> None:
        """Remove what runs that were killed left, and the oldest files of a kind."""
        kinds: dict[str, list[tuple[int, str]]] = {kind: [] for kind in _MOST}
        try:
            with os.scandir(self.path) as listing:
                for entry in listing:
                    changed = entry.stat(follow_symlinks=False).st_mtime_ns
                    if entry.name.endswith(".tmp"):
                        if changed < time.time_ns() - _ABANDONED * 1_000_000_000:
                            os.unlink(entry.path)
                        continue
                    for kind, found in kinds.items():
                        if entry.name.startswith(kind):
                            found.append((changed, entry.path))
            for kind, found in kinds.items():
                for _, path in sorted(found)[: -_MOST[kind]]:
                    os.unlink(path)
        except OSError:
            pass
