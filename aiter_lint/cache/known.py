"""The facts of files that earlier runs read.

One file holds them all: a table (path, state, digest, and where the facts lie), then the facts
of each file as msgpack, and behind them the bodies of functions that were asked for. A file whose
state - mtime, ctime, size, inode - is that of the table is not opened; any other is read, and
known by the digest of its bytes, whatever it is called."""

from __future__ import annotations

import hashlib
import os
import sys
import zlib
from collections.abc import Iterable, Mapping

import msgspec

from aiter_lint.cache.folder import TICK, Folder
from aiter_lint.read.facts import FileFacts
from aiter_lint.read.sources import Bodies, digest, read_bytes

_MAGIC = b"aiter-lint facts 1\n"
_HEAD = len(_MAGIC) + 16  # the sizes of what follows: the table's and its checksum


class _Row(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A file. Where a change within the same tick would not show, `state` is empty."""

    path: str
    state: tuple[int, ...]
    digest: bytes
    start: int
    size: int
    checksum: int
    bodies: int = 0  # bytes behind the facts
    bodies_checksum: int = 0


_TABLE = msgspec.msgpack.Decoder(list[_Row])
_FACTS = msgspec.msgpack.Decoder(FileFacts)
_BODIES = msgspec.msgpack.Decoder(Bodies)
_ERRORS = (msgspec.MsgspecError, ValueError, RecursionError, MemoryError)


class KnownFacts:
    """The facts of earlier runs. They depend on the reader, on Python, and on `words`, the names
    that make a decorator a jit."""

    def __init__(self, folder: Folder, words: Iterable[str]) -> None:
        self._folder = folder
        self._name = f"facts-{_fingerprint(words)}"
        self._data = memoryview(b"")
        self._rows: dict[str, _Row] = {}
        self._taken: dict[str, _Row] = {}
        self._bodies: dict[str, Bodies] = {}
        self._same = True  # whether all that was asked for is in the table as it stands
        self._load()

    def take(self, root: str, files: Mapping[str, os.stat_result]) -> dict[str, FileFacts]:
        """The facts of those files that are known."""
        found: dict[str, FileFacts] = {}
        unknown = []
        for path, entry in files.items():
            row = self._rows.get(path)
            if row is not None and row.state == _state(entry):
                facts = self._facts(row)
                if facts is not None:
                    found[path] = facts
                    self._taken[path] = row
                    continue
            unknown.append(path)
        if not unknown or not self._rows:
            self._same = not unknown
            return found
        self._same = False
        rows = {row.digest: row for row in self._rows.values()}
        for path in unknown:
            try:
                row = rows.get(digest(read_bytes(root, path)))
            except OSError:
                continue
            facts = None if row is None else self._facts(row)
            if row is not None and facts is not None:
                found[path] = facts
                self._taken[path] = msgspec.structs.replace(
                    row, path=path, state=_state(files[path])
                )
        return found

    def bodies(self, path: str) -> Bodies:
        """The bodies of functions that are known of a file whose facts were taken."""
        found = self._bodies.get(path)
        if found is None:
            row = self._taken.get(path)
            found = self._bodies[path] = {} if row is None else self._decoded(row)
        return found

    def keep(
        self,
        files: Mapping[str, os.stat_result],
        read: Mapping[str, tuple[bytes, FileFacts]],
        fetched: Mapping[str, tuple[bytes, Bodies]],
        before: int,
    ) -> None:
        """Store what was taken, what was `read` (the digest of the bytes, and their facts), and
        what was `fetched` later. `before` is the time, in nanoseconds, before anything was
        looked at."""
        same = self._same and not read and not fetched and len(self._taken) == len(self._rows)
        if same or not self._folder.usable:
            return
        rows: list[_Row] = []
        blobs: list[bytes | memoryview] = []
        start = 0

        def add(row: _Row, blob: bytes | memoryview) -> None:
            nonlocal start
            changed = max(row.state[:2], default=0)
            state = row.state if changed < before - TICK else ()
            bodies: bytes | memoryview = b""
            seen, new = fetched.get(row.path, (b"", {}))
            if new and seen == row.digest:
                bodies = _packed({**self.bodies(row.path), **new})
            elif row.bodies:
                bodies = self._data[row.start + row.size : row.start + row.size + row.bodies]
            rows.append(
                msgspec.structs.replace(
                    row,
                    start=start,
                    state=state,
                    bodies=len(bodies),
                    bodies_checksum=zlib.crc32(bodies),
                )
            )
            blobs.extend((blob, bodies))
            start += len(blob) + len(bodies)

        for row in self._taken.values():
            add(row, self._data[row.start : row.start + row.size])
        for path, (known, facts) in read.items():
            blob = _packed(facts)
            if not blob:
                continue
            state = _state(files[path]) if path in files else ()
            add(_Row(path, state, known, 0, len(blob), zlib.crc32(blob)), blob)
        table = msgspec.msgpack.encode(rows)
        head = b"%s%08x%08x" % (_MAGIC, len(table), zlib.crc32(table))
        self._folder.write(self._name, b"".join([head, table, *blobs]))

    def _load(self) -> None:
        data = self._folder.read(self._name)
        if data is None or not data.startswith(_MAGIC):
            return
        try:
            size = int(data[len(_MAGIC) : _HEAD - 8], 16)
            table = data[_HEAD : _HEAD + size]
            if zlib.crc32(table) != int(data[_HEAD - 8 : _HEAD], 16):
                return
            rows = _TABLE.decode(table)
        except _ERRORS:
            return
        self._data = memoryview(data)[_HEAD + size :]
        self._rows = {row.path: row for row in rows}

    def _facts(self, row: _Row) -> FileFacts | None:
        blob = self._data[row.start : row.start + row.size]
        if zlib.crc32(blob) != row.checksum:
            return None
        try:
            return _FACTS.decode(blob)
        except _ERRORS:
            return None

    def _decoded(self, row: _Row) -> Bodies:
        blob = self._data[row.start + row.size : row.start + row.size + row.bodies]
        if not blob or zlib.crc32(blob) != row.bodies_checksum:
            return {}
        try:
            return _BODIES.decode(blob)
        except _ERRORS:
            return {}


def _packed(value: FileFacts | Bodies) -> bytes:
    """As msgpack; empty where that can't be: a string that UTF-8 can't hold."""
    try:
        return msgspec.msgpack.encode(value)
    except _ERRORS:
        return b""


def _state(entry: os.stat_result) -> tuple[int, ...]:
    return entry.st_mtime_ns, entry.st_ctime_ns, entry.st_size, entry.st_ino


def _fingerprint(words: Iterable[str]) -> str:
    """What facts depend on beside the file: the code that makes them, and what it runs on."""
    hasher = hashlib.blake2b(digest_size=10)
    package = os.path.dirname(os.path.dirname(__file__))
    libraries = os.path.dirname(os.path.dirname(msgspec.__file__))
    fields = [sys.version, *sorted(words)]
    fields += sorted(
        name
        for name in os.listdir(libraries)
        if name.startswith(("libcst-", "msgspec-")) and name.endswith("-info")
    )
    hasher.update("\0".join(fields).encode("utf-8", "surrogatepass"))
    reader = os.path.join(package, "read")
    sources = [os.path.join(reader, name) for name in sorted(os.listdir(reader))]
    for path in [os.path.join(package, "span.py"), *sources]:
        if path.endswith(".py"):
            with open(path, "rb") as file:
                hasher.update(file.read())
    return hasher.hexdigest()
