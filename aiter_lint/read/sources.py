"""The files of a project as the later stages see them: their facts, and their bytes again."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Callable, Mapping, Sequence

from aiter_lint.read.facts import FileFacts
from aiter_lint.read.source import LONGEST_FILE, Source, decode
from aiter_lint.read.syntax import Stmt

Bodies = dict[int, tuple[Stmt, ...]]
"""Bodies of functions of one file, by their indices."""


class Sources:
    """The files that were found below a root; paths are relative to it. Nothing else can be
    read through this. `overlay` has the bytes of files that count instead of those on disk."""

    def __init__(
        self,
        root: str,
        facts: Mapping[str, FileFacts],
        json: tuple[str, ...],
        overlay: Mapping[str, bytes] | None = None,
        known: Callable[[str], Bodies] | None = None,
    ) -> None:
        """`known` gives the bodies of functions that earlier runs have read."""
        self.root = root
        self.facts = facts
        self.overlay = overlay or {}
        self._json = json
        self._known = {*facts, *json}
        self.asked: set[str] = set()
        """The files whose bytes were read."""
        self.fetched: dict[str, tuple[bytes, Bodies]] = {}
        """Bodies that `known` lacked, and the digest of the bytes that they come from."""
        self._known_bodies = known

    def data(self, path: str) -> bytes:
        """The bytes of a file; OSError where it can't be read or is none of the project's."""
        if path in self.overlay:
            return self.overlay[path]
        if path not in self._known:
            raise FileNotFoundError(errno.ENOENT, "not a file of the project", path)
        self.asked.add(path)
        return read_bytes(self.root, path)

    def bodies(self, path: str, indices: Sequence[int], data_of: Callable[[str], bytes]) -> Bodies:
        """Bodies of functions that the facts of a file lack, by their indices. `data_of` gives
        the bytes of the file, where they are needed."""
        from aiter_lint.read.reader import bodies_of

        if self._known_bodies is None or path in self.overlay:
            return bodies_of(data_of(path), self.facts[path], indices)
        known = self._known_bodies(path)
        found = {index: known[index] for index in indices if index in known}
        missing = [index for index in indices if index not in found]
        if missing:
            data = data_of(path)
            new = bodies_of(data, self.facts[path], missing)
            found.update(new)
            seen = digest(data)
            before, bodies = self.fetched.get(path, (seen, {}))
            if before == seen:
                self.fetched[path] = (seen, {**bodies, **new})
        return found

    def text(self, path: str) -> str | None:
        """The text of a file with `\\n` line ends and no BOM; None where it has none."""
        try:
            decoded = decode(self.data(path))
        except OSError:
            return None
        return decoded.text if isinstance(decoded, Source) else None

    def json_paths(self) -> tuple[str, ...]:
        """Paths of the JSON files of the project, sorted."""
        return self._json


def digest(data: bytes) -> bytes:
    """What stands for the content of a file."""
    return hashlib.blake2b(data, digest_size=16).digest()


def read_bytes(root: str, path: str) -> bytes:
    """The bytes of a regular file; of one that is too large to be looked at, the beginning.
    OSError for anything else: a link or a pipe that took its place is not waited for."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(os.path.join(root, path), flags | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "no regular file", path)
        return file.read(LONGEST_FILE + 1)
