"""JSON files as mappings: what a configured loader can return."""

from __future__ import annotations

import re
from collections.abc import Iterable

from aiter_lint.link import objects as o
from aiter_lint.link.flow import Binding, Bound, Env
from aiter_lint.link.world import Sources
from aiter_lint.read import syntax as s
from aiter_lint.read.facts import Fault
from aiter_lint.read.json_text import read_json


class Configs:
    """The JSON files of a project, read when a value needs them."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._files: dict[str, s.Expr | None] = {}
        self._loaded: dict[tuple[str, ...], o.JsonFile] = {}

    def loaded(self, patterns: tuple[str, ...]) -> o.JsonFile:
        """What a loader over the files of the patterns returns: for each key every value that
        it has in the innermost objects."""
        known = self._loaded.get(patterns)
        if known is None:
            entries: dict[object, list[Binding]] = {}
            complete = True
            for path in self.matching(patterns):
                expr = self.file(path)
                if expr is None:
                    complete = False
                    continue
                for inner in innermost(expr):
                    for entry in inner.entries:
                        if type(entry.key) is s.Const:
                            env = Env(path)
                            entries.setdefault(entry.key.value, []).append(Bound(entry.value, env))
            mapping = o.Mapping(entries, bool(entries) and complete)
            known = self._loaded[patterns] = o.JsonFile(mapping)
        return known

    def matching(self, patterns: Iterable[str]) -> list[str]:
        """The project's JSON files that some pattern matches."""
        regexes = [glob_regex(pattern) for pattern in patterns]
        return [p for p in self.sources.json_paths() if any(r.fullmatch(p) for r in regexes)]

    def file(self, path: str) -> s.Expr | None:
        """A JSON file's content; None where it can't be read."""
        if path not in self._files:
            try:
                found = read_json(self.sources.data(path))
            except OSError:
                found = None
            self._files[path] = None if isinstance(found, Fault) else found
        return self._files[path]


def innermost(expr: s.Expr) -> list[s.Dict]:
    """The objects that hold no object, below an expression of JSON."""
    found: list[s.Dict] = []
    pending = [expr]
    while pending:
        part = pending.pop()
        if type(part) is s.Seq:
            pending.extend(reversed(part.items))
        elif type(part) is s.Dict:
            inner = [e.value for e in part.entries if type(e.value) in (s.Dict, s.Seq)]
            objects = [v for v in inner if type(v) is s.Dict or _holds_objects(v)]
            if objects:
                pending.extend(reversed(objects))
            else:
                found.append(part)
    return found


def _holds_objects(expr: s.Expr) -> bool:
    return type(expr) is s.Seq and any(type(item) in (s.Dict, s.Seq) for item in expr.items)


def glob_regex(pattern: str) -> re.Pattern[str]:
    """A glob with `**`, `*` and `?` as a regular expression over paths with forward slashes."""
    pattern = pattern.removeprefix("./")
    out = ""
    i = 0
    while i < len(pattern):
        if pattern.startswith("**/", i):
            out += "(?:[^/]+/)*"
            i += 3
        elif pattern.startswith("**", i):
            out += ".*"
            i += 2
        elif pattern[i] == "*":
            out += "[^/]*"
            i += 1
        elif pattern[i] == "?":
            out += "[^/]"
            i += 1
        else:
            out += re.escape(pattern[i])
            i += 1
    return re.compile(out)
