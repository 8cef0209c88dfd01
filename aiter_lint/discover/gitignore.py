"""The patterns of one gitignore file, judged as git judges them.

The last pattern that matches an entry decides. Most patterns are a plain name or an ending
and need a dictionary only; pathspec, which takes longer to import than a warm run may last,
translates the rest when a name is first held against them."""

from __future__ import annotations

import re
from collections.abc import Iterable

_GLOB = re.compile(r"[*?\[\\]")
_CLASS = re.compile(r"\[([A-Za-z0-9_]+)\]$")


class Patterns:
    """The patterns of one file, in order."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._ignores: list[bool] = []
        # by name, path or ending: the last such pattern, for folders and for files
        self._names: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._paths: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._endings: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self._globs: list[tuple[int, str, bool, bool]] = []
        self._compiled: list[tuple[int, re.Pattern[str], bool, bool, bool]] | None = None
        for line in lines:
            self._add(line)
        self._all_endings = tuple(tuple(endings) for endings in self._endings)

    def __bool__(self) -> bool:
        return bool(self._ignores)

    def verdict(self, path: str, *, folder: bool) -> bool | None:
        """Whether an entry is ignored: True, False where a `!pattern` takes it back, None where
        no pattern matches. `path` is relative to the file's folder, without a slash at its end.
        The folders above it are judged before it, by the caller."""
        kind = 0 if folder else 1
        name = path.rsplit("/", 1)[-1]
        last = self._names[kind].get(name, -1)
        last = max(last, self._paths[kind].get(path, -1))
        if name.endswith(self._all_endings[kind]):
            for ending, index in self._endings[kind].items():
                if index > last and name.endswith(ending):
                    last = index
        if self._globs and self._globs[-1][0] > last:
            for index, regex, folders_only, by_name, inside in self._translated():
                if index <= last:
                    break
                if folders_only and not folder:
                    continue
                subject = name if by_name else path
                if (regex.match if inside else regex.fullmatch)(subject):
                    last = index
                    break
        return None if last < 0 else self._ignores[last]

    def covers(self, path: str) -> bool:
        """Whether a file is ignored: by itself, or with a folder that it lies in."""
        end = path.find("/")
        while end >= 0:
            if self.verdict(path[:end], folder=True):
                return True
            end = path.find("/", end + 1)
        return bool(self.verdict(path, folder=False))

    def _add(self, line: str) -> None:
        pattern = line.rstrip("\r\n")
        while pattern.endswith(" ") and not pattern.endswith("\\ "):
            pattern = pattern[:-1]
        if not pattern or pattern.startswith("#"):
            return
        ignores = not pattern.startswith("!")
        pattern = pattern if ignores else pattern[1:]
        folders_only = pattern.endswith("/")
        pattern = pattern[:-1] if folders_only else pattern
        if not pattern:
            return
        index = len(self._ignores)
        self._ignores.append(ignores)
        kinds = (0,) if folders_only else (0, 1)
        if pattern.startswith("**/") and "/" not in pattern[3:] and pattern[3:].strip("*"):
            pattern = pattern[3:]
        anchored = "/" in pattern
        if not _GLOB.search(pattern):
            table = self._paths if anchored else self._names
            plain = pattern[1:] if pattern.startswith("/") else pattern
            for kind in kinds:
                table[kind][plain] = index
            return
        if not anchored and pattern.startswith("*"):
            endings = _endings(pattern[1:])
            if endings:
                for kind in kinds:
                    for ending in endings:
                        self._endings[kind][ending] = index
                return
        self._globs.append((index, pattern, folders_only, not anchored))

    def _translated(self) -> list[tuple[int, re.Pattern[str], bool, bool, bool]]:
        """The patterns that are real globs, the last one first."""
        if self._compiled is None:
            from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

            self._compiled = []
            for index, pattern, folders_only, by_name in reversed(self._globs):
                try:
                    regex = GitIgnoreSpecPattern(pattern).regex
                except ValueError:
                    continue  # git passes over a pattern that it can't read
                if regex is not None:
                    # these regexes end where what is inside begins
                    inside = pattern.endswith("/**") or regex.pattern == "."
                    self._compiled.append((index, regex, folders_only, by_name, inside))
        return self._compiled


def _endings(rest: str) -> list[str]:
    """The endings that `*rest` stands for: one, or several for a class of letters at its end
    (`*.py[cod]`); none where the rest has another wildcard."""
    if not _GLOB.search(rest):
        return [rest] if rest else []
    letters = _CLASS.search(rest)
    if letters and not _GLOB.search(rest[: letters.start()]):
        return [rest[: letters.start()] + letter for letter in letters[1]]
    return []


def read_patterns(path: str) -> Patterns | None:
    """The patterns of a file; None where there is none, OSError where it can't be read."""
    try:
        with open(path, "rb") as file:
            data = file.read(5_000_000)
    except (FileNotFoundError, NotADirectoryError):
        return None
    text = data.decode("utf-8-sig", "surrogateescape")
    return Patterns(text.split("\n"))
