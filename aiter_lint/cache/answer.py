"""The answer of a run where nothing changed: what it printed, told again.

This loads on every start, so it imports nothing that Python has not loaded by then. An answer
holds the command line and the surroundings that it answers, what was looked at, one number for
the state in which all of that was, and the output. The state is, of every file and folder, when
it was changed (mtime and ctime), its size and its inode: a file with other content has another
ctime, even where its size and mtime were put back. The inode of the cache's own folder counts
too, so that an answer that came with somebody's repository is never told."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # importing typing takes a fifth of Python's start
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FOLDER = ".aiter_lint_cache"
NO_CACHE = "--no-cache"

_MAGIC = b"aiter-lint answer 1\n"
_LARGEST = 64_000_000  # bytes
_PRIME = (1 << 30) - 35  # a single digit of an int: dividing by it takes one pass
_ENVIRONMENT = ("NO_COLOR", "FORCE_COLOR", "TERM", "AITER_LINT_TRACEBACK")

Piece = tuple[str, str]
"""What is printed where: (`text` | `data` | `error`, text)."""


class Watched:
    """What an answer depends on. `listed` are paths below `root` (with a slash in front; "" is
    the root) whose own state counts; `followed` are other paths, links followed, which need not
    exist; of `kinds` only what they are counts."""

    __slots__ = ("followed", "kinds", "listed", "root")

    def __init__(
        self, root: str, listed: Sequence[str], followed: Sequence[str], kinds: Sequence[str]
    ) -> None:
        self.root = root
        self.listed = listed
        self.followed = followed
        self.kinds = kinds

    def state(self, folder: str) -> int:
        """One number for the state of everything, and of the cache's folder itself."""
        home = os.stat(folder)
        seen = [home.st_ino, home.st_dev]
        root, lstat = self.root, os.lstat
        for path in self.listed:
            entry = lstat(root + path)
            seen += entry.st_mtime_ns, entry.st_ctime_ns, entry.st_size, entry.st_ino
        for path in self.followed:
            try:
                entry = os.stat(path)
                seen += entry.st_mtime_ns, entry.st_ctime_ns, entry.st_size, entry.st_ino
            except OSError:
                seen.append(-1)
        for path in self.kinds:
            try:
                seen.append(os.stat(path).st_mode >> 12)
            except OSError:
                seen.append(-1)
        return hash(tuple(seen))  # of ints alone: the same in every process

    def newest(self) -> tuple[int, int]:
        """When the last change was (in nanoseconds): in what is listed, and in what is followed."""
        inside = outside = 0
        for path in self.listed:
            entry = os.lstat(self.root + path)
            inside = max(inside, entry.st_mtime_ns, entry.st_ctime_ns)
        for path in self.followed:
            try:
                entry = os.stat(path)
            except OSError:
                continue
            outside = max(outside, entry.st_mtime_ns, entry.st_ctime_ns)
        return inside, outside


def known_answer(arguments: Sequence[str]) -> tuple[int, list[Piece]] | None:
    """The exit code and the output of this command line, where an earlier run stored them and
    nothing has changed since."""
    if not arguments or arguments[0] != "check" or NO_CACHE in arguments:
        return None
    try:
        key = key_of(arguments)
        name = name_of(key)
        for folder in _folders(arguments):
            found = _load(folder, name, key)
            if found is not None:
                return found
    except (OSError, ValueError):
        pass
    return None


def key_of(arguments: Sequence[str]) -> bytes:
    """Everything beside files that a run's output depends on."""
    from aiter_lint import __version__

    environment = [f"{name}={os.environ.get(name)}" for name in _ENVIRONMENT]
    streams = [str(stream.isatty()) for stream in (sys.stdout, sys.stderr)]
    fields = [__version__, sys.version, sys.prefix, __file__, os.getcwd()]
    text = "\0".join([*fields, *environment, *streams, *arguments])
    return text.encode("utf-8", "surrogatepass")


def name_of(key: bytes) -> str:
    """The name of the file that holds the answer to a key. Two keys may share it."""
    return f"answer-{_digest(key):08x}"


def encoded(key: bytes, code: int, watched: Watched, state: int, pieces: Iterable[Piece]) -> bytes:
    """An answer as it is stored."""
    watch = "\0".join([watched.root, *watched.listed, *watched.followed, *watched.kinds]).encode(
        "utf-8", "surrogateescape"
    )
    told = [(kind, text.encode("utf-8", "surrogatepass")) for kind, text in pieces]
    counts = [code, state, len(key), len(watch), len(watched.listed), len(watched.followed)]
    index = " ".join([*map(str, counts), *(f"{kind}:{len(data)}" for kind, data in told)])
    body = b"".join([index.encode(), b"\n", key, watch, *(data for _, data in told)])
    return b"%s%08x\n%s" % (_MAGIC, _digest(body), body)


def _load(folder: str, name: str, key: bytes) -> tuple[int, list[Piece]] | None:
    data = _read(os.path.join(folder, name))
    start = len(_MAGIC) + 9
    if data is None or not data.startswith(_MAGIC) or data[start - 1 : start] != b"\n":
        return None
    body = data[start:]
    if data[len(_MAGIC) : start - 1] != b"%08x" % _digest(body):
        return None
    end = body.index(b"\n")
    numbers = body[:end].decode("ascii").split(" ")
    code, state, key_size, watch_size, listed, followed = map(int, numbers[:6])
    end += 1
    if body[end : end + key_size] != key or code not in (0, 1):
        return None
    end += key_size
    root, *paths = body[end : end + watch_size].decode("utf-8", "surrogateescape").split("\0")
    end += watch_size
    watched = Watched(
        root,
        paths[:listed],
        paths[listed : listed + followed],
        paths[listed + followed :],
    )
    if watched.state(folder) != state:
        return None
    pieces = []
    for piece in numbers[6:]:
        kind, size = piece.split(":")
        pieces.append((kind, body[end : end + int(size)].decode("utf-8", "surrogatepass")))
        end += int(size)
    return code, pieces


def _read(path: str) -> bytes | None:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        return file.read(_LARGEST)


def _folders(arguments: Sequence[str]) -> Iterator[str]:
    """Where the cache of the project may be that the command line means: in a folder above the
    current one or above a path that is named, or where `--cache-dir` or the settings say. A
    wrong guess costs the answer, nothing else."""
    starts = [os.getcwd()]
    for position, argument in enumerate(arguments):
        option, sign, value = argument.partition("=")
        if option == "--cache-dir":
            value = value if sign else "".join(arguments[position + 1 : position + 2])
            yield os.path.abspath(value)
        elif not argument.startswith("-") and position:
            starts.append(os.path.abspath(argument))
    seen = set()
    for folder in starts:
        while folder not in seen:
            seen.add(folder)
            yield os.path.join(folder, _setting(folder) or FOLDER)
            folder = os.path.dirname(folder)


def _setting(folder: str) -> str | None:
    """What a folder's settings say of the cache, told without reading them as TOML."""
    data = _read(os.path.join(folder, "pyproject.toml"))
    if data is None or b"cache-dir" not in data:
        return None
    for line in data.split(b"\n"):
        key, _, value = line.partition(b"=")
        if key.strip() == b"cache-dir":
            value = value.strip()
            return value[1:].partition(value[:1])[0].decode() if value[:1] in b"\"'" else None
    return None


def _digest(data: bytes) -> int:
    """A checksum against damage, without an import."""
    return int.from_bytes(data, "little") % _PRIME
