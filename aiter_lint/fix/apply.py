"""Fixes are applied in memory, round by round, until nothing is left to do.

Each round links and checks the project again with what was changed so far, so a fix sees what the
one before it did. Two fixes that touch one place do not go into one round. In the end every
changed file is parsed again; where it does not parse, where a finding that was fixed is still
there, or where fixes chase each other without end, the file is left as it was."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from aiter_lint.finding import Applicability, Edit, Finding, RemoveKey
from aiter_lint.fix.builders import builder_name, unused_import
from aiter_lint.fix.document import Document, Unfixable
from aiter_lint.fix.workspace import Files
from aiter_lint.link.project import Project
from aiter_lint.span import Place

ROUNDS = 25  # more than the longest list of keys that a person wrote has dead ones


class Linted(Protocol):
    """What a round starts from: what is reported, with its fixes, and the project it is about."""

    @property
    def findings(self) -> Sequence[Finding]: ...

    @property
    def project(self) -> Project: ...

    @property
    def sources(self) -> Files: ...


Relint = Callable[[Mapping[str, bytes]], Linted]
"""Lints the project again, fixes planned; the mapping has the bytes that count instead of a
file's own."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A file before and after."""

    path: str
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class Refused:
    """A file that is left untouched although it has something to fix, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """What came out. `left` are the findings that remain when the changes are written, with their
    fixes; `applied` those that went. Nothing is written yet."""

    changed: tuple[Changed, ...]
    applied: tuple[Finding, ...]
    left: tuple[Finding, ...]
    refused: tuple[Refused, ...]
    linted: Linted


@dataclass(slots=True)
class _State:
    overlay: dict[str, bytes] = field(default_factory=dict)
    originals: dict[str, bytes] = field(default_factory=dict)
    applied: list[tuple[Finding, frozenset[str]]] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)

    def revert(self, path: str, reason: str) -> None:
        """Give up a file, and with it those that were changed by the same fixes."""
        pending = [(path, reason)]
        while pending:
            path, reason = pending.pop()
            if path in self.refused:
                continue
            self.refused[path] = reason
            self.overlay.pop(path, None)
            for _, paths in self.applied:
                if path in paths:
                    pending += [(p, f"{path} is left as it is: {reason}") for p in paths - {path}]
        self.applied = [(f, paths) for f, paths in self.applied if not paths & set(self.refused)]


def fix_all(relint: Relint, *, unsafe: bool = False, first: Linted | None = None) -> Fixed:
    """Apply all safe fixes of what is reported, with `unsafe` the unsafe ones too. `first` is the
    result of linting the files as they are, where that is known already."""
    state = _State()
    linted = start = first if first is not None else relint({})
    for _ in range(ROUNDS):
        edits, chosen = _choose(linted, unsafe, state.refused)
        if edits:
            linted = _round(state, relint, linted, edits, chosen)
            continue
        if not _give_up(state, _unparsable(state)):
            if _tidy(state, start.project, linted.project):
                linted = relint(dict(state.overlay))
            break
        linted = relint(dict(state.overlay))
    else:
        edits, _ = _choose(linted, unsafe, state.refused)
        endless = dict.fromkeys(edits, f"its fixes come to no end in {ROUNDS} rounds")
        _give_up(state, endless | _unparsable(state))
        linted = relint(dict(state.overlay))
    changed = tuple(
        Changed(path, state.originals[path], data)
        for path, data in sorted(state.overlay.items())
        if data != state.originals[path]
    )
    return Fixed(
        changed=changed,
        applied=tuple(finding for finding, _ in state.applied),
        left=tuple(linted.findings),
        refused=tuple(Refused(path, reason) for path, reason in sorted(state.refused.items())),
        linted=linted,
    )


def _round(
    state: _State,
    relint: Relint,
    linted: Linted,
    edits: Mapping[str, _Edited],
    chosen: Sequence[Finding],
) -> Linted:
    """Apply the fixes of one round and look whether their findings are gone."""
    before = _counts(linted.findings)
    for path, edited in edits.items():
        state.originals.setdefault(path, edited.document.data)
        state.overlay[path] = edited.edited()
    state.applied += [(finding, _paths(finding)) for finding in chosen]
    linted = relint(dict(state.overlay))
    after = _counts(linted.findings)
    reasons = {}
    for finding in chosen:
        if after[_identity(finding)] >= before[_identity(finding)]:
            reasons |= dict.fromkeys(
                sorted(_paths(finding)), f"{finding.rule} is still found after its fix"
            )
    for path in edits:
        facts = linted.project.files.get(path)
        if facts is None or facts.fault is not None:
            reasons[path] = "the result does not parse"
    return relint(dict(state.overlay)) if _give_up(state, reasons) else linted


def _tidy(state: _State, before: Project, after: Project) -> bool:
    """Remove imports of builders that had uses before all those fixes, and have none now."""
    tidied = False
    for path, data in state.overlay.items():
        original, document = Document(path, state.originals[path]), Document(path, data)
        for name in {builder_name(original, b) for b in before.builders if b.place.path == path}:
            edits = unused_import(after, document, name)
            if edits:
                document = Document(path, document.edited(edits))
                state.overlay[path] = document.data
                tidied = True
                break
    return tidied


def _give_up(state: _State, reasons: Mapping[str, str]) -> bool:
    """Leave files as they were; whether there were any."""
    for path, reason in sorted(reasons.items()):
        state.revert(path, reason)
    return bool(reasons)


# --- which fixes go together ---------------------------------------------------------------


class _Edited:
    """The edits of one file that were accepted in a round."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._edits: dict[Edit, tuple[int, int]] = {}

    def accepts(self, edits: Iterable[Edit]) -> bool:
        """Whether edits keep clear of those that are here. The very same edit may come twice."""
        for edit in edits:
            if edit in self._edits:
                continue
            start, end = self.document.range(edit)
            for other_start, other_end in self._edits.values():
                if start == other_start or (start < other_end and other_start < end):
                    return False
                if (start == end and start == other_end) or (other_start == other_end == end):
                    return False
        return True

    def add(self, edits: Iterable[Edit]) -> None:
        """Accept edits."""
        for edit in edits:
            self._edits[edit] = self.document.range(edit)

    def edited(self) -> bytes:
        """The file with all of them."""
        return self.document.edited(self._edits)


def _choose(
    linted: Linted, unsafe: bool, refused: Mapping[str, str]
) -> tuple[dict[str, _Edited], list[Finding]]:
    """The fixes of one round: in the order of findings, each that keeps clear of the others."""
    wanted = {Applicability.SAFE, Applicability.UNSAFE} if unsafe else {Applicability.SAFE}
    files: dict[str, _Edited] = {}
    chosen = []
    taken: dict[Place, set[Place]] = {}  # the keys that go, by builder
    sizes = {b.place: len({k.literal for k in b.keys or ()}) for b in linted.project.builders}
    for finding in linted.findings:
        if finding.fix is None or finding.fix.applicability not in wanted:
            continue
        by_path: dict[str, list[Edit]] = {}
        for edit in finding.fix.edits:
            by_path.setdefault(edit.path, []).append(edit)
        if not by_path or by_path.keys() & refused.keys():
            continue
        repair = finding.repair
        if isinstance(repair, RemoveKey):
            # the last key may take the repr with it: that is for a round of its own
            keys = taken.get(repair.builder, set()) | {repair.literal}
            if len(keys) > 1 and len(keys) == sizes.get(repair.builder):
                continue
        try:
            for path in by_path:
                if path not in files:
                    files[path] = _Edited(Document(path, linted.sources.data(path)))
        except (OSError, Unfixable):
            continue
        if all(files[path].accepts(edits) for path, edits in by_path.items()):
            for path, edits in by_path.items():
                files[path].add(edits)
            chosen.append(finding)
            if isinstance(repair, RemoveKey):
                taken.setdefault(repair.builder, set()).add(repair.literal)
    touched = {edit.path for finding in chosen for edit in finding.fix.edits}
    return {path: edited for path, edited in files.items() if path in touched}, chosen


def _paths(finding: Finding) -> frozenset[str]:
    return frozenset(edit.path for edit in finding.fix.edits) if finding.fix else frozenset()


def _identity(finding: Finding) -> tuple[str, str, str | None, str | None]:
    """What stays the same of a finding when its file changes around it."""
    return finding.code, finding.place.path, finding.kernel, finding.key


def _counts(findings: Iterable[Finding]) -> Counter[tuple[str, str, str | None, str | None]]:
    return Counter(map(_identity, findings))


def _unparsable(state: _State) -> dict[str, str]:
    """The changed files that libcst does not parse, and why."""
    import libcst as cst

    reasons = {}
    for path, data in state.overlay.items():
        try:
            cst.parse_module(data)
        except cst.ParserSyntaxError as error:
            text = error.message.split("\n", 1)[0]
            reasons[path] = f"the result does not parse: line {error.raw_line}: {text}"
        except (RecursionError, UnicodeError) as error:
            reasons[path] = f"the result does not parse: {type(error).__name__}"
    return reasons
