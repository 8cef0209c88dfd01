"""JSON config files as their loaders read them: buckets of launch values, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from aiter_lint.link.world import Sources
from aiter_lint.read import syntax as s
from aiter_lint.read.facts import Fault
from aiter_lint.read.json_text import read_json
from aiter_lint.span import Place, Span

FALLBACK = "any"

_BUCKET = re.compile(r"any|M_(LEQ|GEQ)_\d+")
_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True, eq=False)
class Bucket:
    """An innermost object of a config file. `name` is the key that it stands under, `place` that
    key's (the opening bracket's, where there is none); `entries` are its values by key."""

    path: str
    name: str
    place: Place
    entries: dict[str, s.Expr]
    places: dict[str, Place]  # of the keys

    @property
    def content(self) -> tuple[object, ...]:
        """What makes two buckets the same to a kernel."""
        return tuple((key, _plain(value)) for key, value in sorted(self.entries.items()))


@dataclass(frozen=True, slots=True, eq=False)
class ConfigFile:
    """A JSON file behind a loader. `named` says that its top level maps names of buckets
    (`M_LEQ_<n>`, `M_GEQ_<n>`, `any`) to objects; `odd` are those of them that are no objects.
    `parts` are the components of its path that the loader's glob leaves open, by index."""

    path: str
    start: Place
    buckets: tuple[Bucket, ...] = ()
    named: bool = False
    complete: bool = True  # has its fallback, or needs none
    odd: tuple[tuple[str, Place], ...] = ()
    fault: tuple[str, Place] | None = None
    parts: dict[int, str] = field(default_factory=dict)
    depth: int = 0


def config_files(
    sources: Sources, patterns: Iterable[str], paths: Iterable[str]
) -> tuple[ConfigFile, ...]:
    """The files at `paths`, which some pattern matches; those that can't be read are left out."""
    fixed = min((_fixed(pattern) for pattern in patterns), default=0)
    found = []
    for path in paths:
        try:
            data = sources.data(path)
        except OSError:
            continue
        found.append(_config_file(path, data, fixed))
    return tuple(found)


def _config_file(path: str, data: bytes, fixed: int) -> ConfigFile:
    components = path.removesuffix(".json").split("/")
    parts = {i: part for i, part in enumerate(components) if i >= fixed}
    root = read_json(data)
    if isinstance(root, Fault):
        place = Place(path, root.span)
        return ConfigFile(
            path, place, fault=(root.message, place), parts=parts, depth=len(components)
        )
    start = Place(path, _first(root.span))
    named: list[str] = []
    odd: list[tuple[str, Place]] = []
    if type(root) is s.Dict:
        for entry in root.entries:
            if type(entry.key) is s.Const and _BUCKET.fullmatch(str(entry.key.value)):
                if type(entry.value) is s.Dict:
                    named.append(str(entry.key.value))
                else:
                    odd.append((str(entry.key.value), Place(path, entry.key.span)))
    return ConfigFile(
        path,
        start,
        tuple(_buckets(path, root)),
        named=bool(named),
        complete=FALLBACK in named or any(name == FALLBACK for name, _ in odd),
        odd=tuple(odd) if named else (),
        parts=parts,
        depth=len(components),
    )


def _buckets(path: str, root: s.Expr) -> list[Bucket]:
    """The objects that hold no object, each with the key that it stands under."""
    found: list[Bucket] = []
    pending: list[tuple[str, Span, s.Expr]] = [("", _first(root.span), root)]
    while pending:
        name, span, part = pending.pop()
        if type(part) is s.Seq:
            pending += [(name, span, item) for item in reversed(part.items)]
        elif type(part) is s.Dict:
            inner = [
                (str(e.key.value), e.key.span, e.value)
                for e in part.entries
                if type(e.key) is s.Const and _holds_objects(e.value)
            ]
            if inner:
                pending += reversed(inner)
            else:
                found.append(_bucket(path, name, span, part))
    return found


def _bucket(path: str, name: str, span: Span, part: s.Dict) -> Bucket:
    entries: dict[str, s.Expr] = {}
    places: dict[str, Place] = {}
    for entry in part.entries:  # of a key that is given twice, the last one counts
        if type(entry.key) is s.Const and isinstance(entry.key.value, str):
            entries[entry.key.value] = entry.value
            places[entry.key.value] = Place(path, entry.key.span)
    return Bucket(path, name, Place(path, span), entries, places)


def _holds_objects(expr: s.Expr) -> bool:
    if type(expr) is s.Dict:
        return True
    return type(expr) is s.Seq and any(_holds_objects(item) for item in expr.items)


def _fixed(pattern: str) -> int:
    """How many leading components of a glob have no wildcard."""
    components = pattern.removeprefix("./").split("/")
    return next((i for i, part in enumerate(components) if _WILD.search(part)), len(components) - 1)


def _first(span: Span) -> Span:
    """The opening bracket."""
    return Span(span.line, span.column, span.line, span.column + 1)


def _plain(value: s.Expr) -> object:
    if type(value) is s.Const:
        return (type(value.value).__name__, value.value)
    if type(value) is s.Seq:
        return tuple(_plain(item) for item in value.items)
    return value.span
