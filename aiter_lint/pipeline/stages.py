"""One run: discover, read, link, check, suppress. Each step is a stage; nothing else is here."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import msgspec

from aiter_lint.cache.folder import Folder
from aiter_lint.cache.known import KnownFacts
from aiter_lint.discover import Scope, Tree, discover, is_excluded
from aiter_lint.finding import Finding
from aiter_lint.link import link
from aiter_lint.link.project import Project
from aiter_lint.pipeline.check import check, crash
from aiter_lint.pipeline.outcome import Outcome
from aiter_lint.pipeline.selection import Selection
from aiter_lint.read.facts import FileFacts
from aiter_lint.read.files import FactsOf, Progress, Reading, read_files
from aiter_lint.read.index import JIT_WORDS
from aiter_lint.read.reader import read_file
from aiter_lint.read.sources import Bodies, Sources
from aiter_lint.settings import Settings
from aiter_lint.suppress import Baseline, suppress
from aiter_lint.suppress.since import Changes

Identity = tuple[str, str, str | None, str | None]
"""What stays the same of a finding when lines move: code, path, kernel, key."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked: `root` is real and absolute, `named` are PATHS likewise, inside of it; only
    its folder `start` is read.
    `overlay` has bytes that count instead of a file's own, by path relative to the root. With
    `only` nothing else is told; it stands for `changes` where lines have moved. `planned` is
    for how many of the findings, the first ones, fixes are planned; None for all. `cache` is
    where the facts of earlier runs are."""

    root: str
    settings: Settings
    selection: Selection
    named: tuple[str, ...]
    start: str = ""
    jobs: int = 0
    overlay: Mapping[str, bytes] = field(default_factory=dict)
    baseline: Baseline | None = None
    changes: Changes | None = None
    progress: Progress | None = None
    only: frozenset[Identity] | None = None
    planned: int | None = None
    cache: Folder | None = None


@dataclass(frozen=True, slots=True)
class Linked:
    """The project as the first stages leave it. `keep` stores what is worth it: at the end, for
    bodies of functions are read when they are asked for."""

    tree: Tree
    reading: Reading
    sources: Sources
    project: Project
    keep: Callable[[], None] = lambda: None


def read_project(request: Request, facts_of: FactsOf | None = None) -> Linked:
    """The files, their facts, and the project they make."""
    settings = request.settings
    before = time.time_ns()
    tree = discover(
        request.root,
        settings.exclude,
        request.named,
        start=request.start,
        force=settings.force_exclude,
    )
    on_disk = {p: entry for p, entry in tree.python.items() if p not in request.overlay}
    cache = None if request.cache is None else KnownFacts(request.cache, jit_words(settings))
    known = {} if cache is None else cache.take(request.root, on_disk)
    sizes = {path: entry.st_size for path, entry in tree.python.items() if path not in known}
    for path, data in request.overlay.items():
        if not settings.force_exclude or not is_excluded(request.root, path, settings.exclude):
            sizes[path] = len(data)
    reading = read_files(
        request.root,
        dict(sorted(sizes.items())),
        facts_of or reader(settings),
        jobs=request.jobs,
        overlay=request.overlay,
        progress=request.progress,
    )
    if cache is None:
        return _linked(request, tree, reading)
    new = {p: (d, reading.facts[p]) for p, d in reading.digests.items() if p in on_disk}
    facts = {**known, **reading.facts}
    reading = Reading(dict(sorted(facts.items())), reading.problems)
    linked = _linked(request, tree, reading, cache.bodies)
    fetched = linked.sources.fetched
    return dataclasses.replace(linked, keep=lambda: cache.keep(on_disk, new, fetched, before))


def reread(request: Request, linked: Linked, facts_of: FactsOf | None = None) -> Linked:
    """The project with the request's overlay; only the files in it are read again."""
    read = facts_of or reader(request.settings)
    changed = {path: read(path, data) for path, data in request.overlay.items()}
    reading = Reading({**linked.reading.facts, **changed}, linked.reading.problems)
    return _linked(request, linked.tree, reading)


def _linked(
    request: Request,
    tree: Tree,
    reading: Reading,
    known: Callable[[str], Bodies] | None = None,
) -> Linked:
    if request.progress is not None:
        request.progress("Linking", 0, 0)
    sources = Sources(request.root, reading.facts, tree.json, request.overlay, known)
    return Linked(tree, reading, sources, link(sources, request.settings))


def run(request: Request, facts_of: FactsOf | None = None) -> Outcome:
    """From paths to an outcome."""
    linked = read_project(request, facts_of)
    outcome = judge(request, linked)
    linked.keep()
    return outcome


def judge(request: Request, linked: Linked) -> Outcome:
    """Everything that is said of a project that was read, with the fixes of what is shown."""
    if request.progress is not None:
        request.progress("Checking", 0, 0)
    settings, selection = request.settings, request.selection
    found, crashes, crashed = check(linked.project, selection.rules, settings)
    judged = suppress(ordered(found), linked.sources, settings, selection.codes - crashed)
    scope = Scope(request.root, request.named)
    findings = [finding for finding in judged.findings if finding.place.path in scope]
    baselined, stale = 0, {}
    if request.baseline is not None:
        kept = request.baseline.apply(findings, linked.sources, scope, selection.codes - crashed)
        baselined, stale, findings = len(findings) - len(kept.new), kept.stale, kept.new
    if request.changes is not None:
        findings = [f for f in findings if request.changes.touch(f, linked.project)]
    if request.only is not None:
        findings = [f for f in findings if identity(f) in request.only]
    shown = [finding for finding in findings if selection.shows(finding)]
    shown, mishaps = _planned(shown, linked, settings, request.planned)
    return Outcome(
        findings=tuple(shown),
        files=sum(path in scope for path in linked.reading.facts),
        tree=linked.tree,
        sources=linked.sources,
        project=linked.project,
        selection=selection,
        hidden=Counter(f.severity for f in findings if not selection.shows(f)),
        ignored=judged.ignored,
        baselined=baselined,
        stale=stale,
        problems=(*linked.tree.problems, *linked.reading.problems, *crashes, *mishaps),
        notes=linked.tree.notes,
        unplanned=_unplanned(shown, request.planned),
    )


def _planned(
    findings: list[Finding], linked: Linked, settings: Settings, count: int | None
) -> tuple[list[Finding], list[str]]:
    """The findings with their fixes, for the first `count` of them; without, where planning one
    crashes. Planning takes as long as linking, and most runs don't show that many fixes."""
    first, rest = findings[:count], [] if count is None else findings[count:]
    if not any(finding.repair is not None for finding in first):
        return findings, []
    from aiter_lint.fix.plan import plan

    try:
        first = plan(first, linked.project, linked.sources, settings)
    except Exception as error:
        return findings, [f"fixes can't be planned: {crash(error)}"]
    # a repair that can't be made is none
    first = [
        msgspec.structs.replace(f, repair=None) if f.repair is not None and f.fix is None else f
        for f in first
    ]
    return [*first, *rest], []


def _unplanned(findings: list[Finding], planned: int | None) -> int:
    return 0 if planned is None else sum(f.repair is not None for f in findings[planned:])


def identity(finding: Finding) -> Identity:
    """What stays the same of a finding when lines move."""
    return finding.code, finding.place.path, finding.kernel, finding.key


def ordered(findings: list[Finding]) -> list[Finding]:
    """By path and place; what several rules or launches said of one thing is said once."""
    findings = sorted(
        findings,
        key=lambda f: (f.place.path, f.place.span, f.code, f.kernel or "", f.key or "", f.message),
    )
    seen = set()
    result = []
    for finding in findings:
        span = finding.place.span
        identity = (
            finding.code, finding.place.path, span.line, span.column, finding.kernel, finding.key,
        )  # fmt: skip
        if identity not in seen:
            seen.add(identity)
            result.append(finding)
    return result


def reader(settings: Settings) -> FactsOf:
    """The reader for a project whose own jit decorators may have any name."""
    return functools.partial(_facts_of, words=jit_words(settings))


def jit_words(settings: Settings) -> frozenset[str]:
    """The last words of the decorators that make a kernel."""
    return JIT_WORDS | {name.rsplit(".", 1)[-1] for name in settings.jit_decorators}


def _facts_of(path: str, data: bytes, *, words: frozenset[str]) -> FileFacts:
    return read_file(data, jit_words=words)
