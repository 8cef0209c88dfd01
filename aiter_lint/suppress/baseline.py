"""The baseline: findings that are known and passed over, so that only new ones are told.

An entry is a rule, a file, a kernel and the text that the finding points at, without its
layout; and how many such findings there are. Lines don't matter: code may move within its file."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from aiter_lint.discover.scope import Scope
from aiter_lint.finding import Finding
from aiter_lint.read.sources import Sources
from aiter_lint.rules import registry
from aiter_lint.settings import SettingsError, shown

_LONGEST = 200  # characters of an entry's text


class Entry(msgspec.Struct, frozen=True, order=True):
    """One kind of finding. `kernel` and `text` may be empty."""

    path: str
    rule: str
    kernel: str
    text: str


class _Record(msgspec.Struct, forbid_unknown_fields=True):
    rule: str
    path: str
    kernel: str | None
    text: str
    count: int = 1


class _File(msgspec.Struct, forbid_unknown_fields=True):
    version: int
    findings: list[_Record]


@dataclass(frozen=True, slots=True)
class Kept:
    """The findings that the baseline does not list, and its entries that nothing needs."""

    new: list[Finding]
    stale: Mapping[Entry, int]  # how many too many


@dataclass(frozen=True, slots=True)
class Baseline:
    """How many findings of each kind are passed over."""

    counts: Counter[Entry]

    def apply(
        self, findings: Sequence[Finding], sources: Sources, scope: Scope, ran: frozenset[str]
    ) -> Kept:
        """Compare with what was found in the files of `scope` by the rules `ran` (codes)."""
        room = self.counts.copy()
        texts = _Texts(sources)
        new = []
        for finding in findings:
            entry = texts.entry(finding)
            if room[entry] > 0:
                room[entry] -= 1
            else:
                new.append(finding)
        stale = {
            entry: room[entry]
            for entry in sorted(room)
            if room[entry] > 0 and _judged(entry, sources, scope, ran)
        }
        return Kept(new, stale)

    def without(self, stale: Mapping[Entry, int]) -> Baseline:
        """The baseline without so many of those entries."""
        return Baseline(self.counts - Counter(stale))

    def outside(self, scope: Scope) -> Baseline:
        """The entries of files that are not in `scope`."""
        return Baseline(Counter({e: n for e, n in self.counts.items() if e.path not in scope}))

    def text(self) -> str:
        """The file's content: one entry a line, so that changes are easy to review and merge."""
        rows = [
            msgspec.json.encode(
                _Record(
                    entry.rule, entry.path, entry.kernel or None, entry.text, self.counts[entry]
                )
            ).decode()
            for entry in sorted(self.counts)
        ]
        body = "".join(f"\n    {row}," for row in rows)[:-1] + "\n  " if rows else ""
        return f'{{\n  "version": 1,\n  "findings": [{body}]\n}}\n'


def baseline_of(findings: Iterable[Finding], sources: Sources) -> Baseline:
    """The baseline that lists exactly these findings."""
    texts = _Texts(sources)
    return Baseline(Counter(texts.entry(finding) for finding in findings))


def load_baseline(root: str, path: str) -> Baseline | None:
    """The baseline of a project; None where it has none. `SettingsError` for a damaged one."""
    full = os.path.join(root, path)
    try:
        with open(full, "rb") as file:
            data = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SettingsError(f"{shown(full)}: can't be read: {error.strerror}") from None
    remedy = "mend it, or write it anew by `aiter-lint baseline`"
    try:
        content = msgspec.json.decode(data, type=_File)
    except (msgspec.DecodeError, RecursionError) as error:
        raise SettingsError(f"{shown(full)}: no baseline: {error}; {remedy}") from None
    if content.version != 1:
        raise SettingsError(
            f"{shown(full)}: version {content.version} of the baseline is not known: "
            "it was written by a newer aiter-lint"
        )
    counts: Counter[Entry] = Counter()
    for record in content.findings:
        counts[Entry(record.path, record.rule, record.kernel or "", record.text)] += record.count
    return Baseline(counts)


def _judged(entry: Entry, sources: Sources, scope: Scope, ran: frozenset[str]) -> bool:
    """Whether the run would have found what the entry lists, were it still there."""
    rule = registry.find(entry.rule)
    if entry.path not in scope or (rule is not None and rule.code not in ran):
        return False
    facts = sources.facts.get(entry.path)
    return facts is None or facts.fault is None or entry.rule == "invalid-syntax"


class _Texts:
    """The text that findings point at."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._lines: dict[str, list[str] | None] = {}

    def entry(self, finding: Finding) -> Entry:
        return Entry(
            finding.place.path, finding.rule, finding.kernel or "", _normal(self._text(finding))
        )

    def _text(self, finding: Finding) -> str:
        path, span = finding.place
        if path not in self._lines:
            text = self._sources.text(path)
            self._lines[path] = None if text is None else text.split("\n")
        lines = self._lines[path]
        if lines is None or span.line > len(lines):
            return finding.message
        covered = lines[span.line - 1 : span.end_line]
        if len(covered) == 1:
            return covered[0][span.column - 1 : span.end_column - 1] or covered[0]
        covered[-1] = covered[-1][: span.end_column - 1]
        covered[0] = covered[0][span.column - 1 :]
        return "\n".join(covered)


def _normal(text: str) -> str:
    """Code without its layout: what a formatter changes makes no difference."""
    text = re.sub(r"\s*([^\w\s])\s*", r"\1", " ".join(text.split()))
    return re.sub(r",([)\]}])", r"\1", text)[:_LONGEST]
