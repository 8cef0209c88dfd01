"""Ignore comments and per-file-ignores: which findings are not told, and which comments are idle.

A comment that ends a line of code covers the findings that start on that line. Alone on its
line it covers the statement below: decorators and signature of a definition, all lines of
anything else; inside brackets, the next line. Blank lines and other comments may stand between."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from aiter_lint.discover.gitignore import Patterns
from aiter_lint.finding import Finding, RemoveIgnore
from aiter_lint.read.facts import FileFacts, Ignore
from aiter_lint.read.sources import Sources
from aiter_lint.rules import registry, unknown_ignore, unused_ignore
from aiter_lint.settings import Settings
from aiter_lint.span import Place, Span

_OWN = frozenset({unused_ignore.META.code, unknown_ignore.META.code})
_EVERYWHERE = 1 << 60


@dataclass(frozen=True, slots=True)
class Judged:
    """The findings that are left, in order, and how many were silenced."""

    findings: list[Finding]
    ignored: int


@dataclass(slots=True)
class _Entry:
    """One rule of one comment, and the lines it covers; code None stands for every rule."""

    ignore: Ignore
    label: str
    span: Span
    code: str | None
    first: int
    last: int
    used: bool = False

    def covers(self, finding: Finding) -> bool:
        line = finding.place.span.line
        if self.code is None:
            return self.first <= line <= self.last and finding.code not in _OWN
        return self.first <= line <= self.last and finding.code == self.code


def suppress(
    findings: Sequence[Finding], sources: Sources, settings: Settings, ran: frozenset[str]
) -> Judged:
    """Take the silenced findings out, and add those about ignore comments. `ran` has the codes
    of the rules that ran to their end: only of those a comment can be said to be unused."""
    by_path: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        by_path[finding.place.path].append(finding)
    elsewhere = _PerFile(settings.per_file_ignores)
    left: list[Finding] = []
    ignored = 0
    for path in sorted({*by_path, *(p for p, facts in sources.facts.items() if facts.ignores)}):
        told = by_path.get(path, [])
        facts = sources.facts.get(path)
        if facts is not None and facts.ignores:
            kept = list(_judge(path, told, facts, sources, ran))
            ignored += sum(f.code not in _OWN for f in told) - sum(f.code not in _OWN for f in kept)
        else:
            kept = told
        open_ = [finding for finding in kept if not elsewhere.silences(finding)]
        ignored += len(kept) - len(open_)
        left += sorted(open_, key=lambda f: (f.place.span, f.code))
    return Judged(left, ignored)


def _judge(
    path: str, findings: list[Finding], facts: FileFacts, sources: Sources, ran: frozenset[str]
) -> Iterator[Finding]:
    entries = list(_entries(path, facts, sources))
    for finding in findings:
        if not _silenced(finding, entries):
            yield finding
    if unknown_ignore.META.code in ran:
        for finding in _unknown(path, facts.ignores):
            if not _silenced(finding, entries):
                yield finding
    if unused_ignore.META.code in ran:
        for finding in _unused(path, entries, ran):
            if not _silenced(finding, entries):
                yield finding


def _silenced(finding: Finding, entries: list[_Entry]) -> bool:
    covering = [entry for entry in entries if entry.covers(finding)]
    for entry in covering:
        entry.used = True
    return bool(covering)


def _entries(path: str, facts: FileFacts, sources: Sources) -> Iterator[_Entry]:
    extent = _Extent(facts, sources.text(path) or "")
    for ignore in facts.ignores:
        first, last = extent.of(ignore)
        if not ignore.rules:
            yield _Entry(ignore, "", ignore.span, None, first, last)
        for label, span in ignore.rules:
            rule = registry.find(label)
            if rule is not None:
                yield _Entry(ignore, label, span, rule.code, first, last)


def _unknown(path: str, ignores: tuple[Ignore, ...]) -> Iterator[Finding]:
    for ignore in ignores:
        for label, span in ignore.rules:
            if registry.find(label) is not None:
                continue
            if not label:
                message = "the ignore comment names no rule: write `ignore[rule]`"
            else:
                meant = registry.hint(label)
                message = f'there is no rule "{label}" to ignore' + (
                    f': did you mean "{meant}"?' if meant else ": `aiter-lint rules` lists them all"
                )
            yield unknown_ignore.META.finding(
                Place(path, span),
                message,
                repair=RemoveIgnore(Place(path, ignore.span), (label,)),
            )


def _unused(path: str, entries: list[_Entry], ran: frozenset[str]) -> Iterator[Finding]:
    by_comment: dict[Span, list[_Entry]] = defaultdict(list)
    for entry in entries:
        by_comment[entry.ignore.span].append(entry)
    usual = {rule.code for rule in registry.rules() if rule.default}
    for span, mine in by_comment.items():
        idle = [
            entry
            for entry in mine
            if not entry.used
            and entry.code not in _OWN
            and (entry.code in ran if entry.code is not None else usual <= ran)
        ]
        if not idle:
            continue
        ignore = mine[0].ignore
        labels = tuple(dict.fromkeys(entry.label for entry in idle if entry.label))
        whole = len(idle) == max(len(ignore.rules), 1)
        what = " and ".join(f'"{label}"' for label in labels) or "every rule"
        yield unused_ignore.META.finding(
            Place(path, span if whole else idle[0].span),
            f"this comment ignores {what}, and there is nothing to ignore: remove it",
            repair=RemoveIgnore(Place(path, span), labels),
        )


class _Extent:
    """The lines that the ignore comments of one file cover."""

    def __init__(self, facts: FileFacts, text: str) -> None:
        self._heads = [function.head_span for function in facts.functions]
        self._lines = text.split("\n")
        self._statements: list[tuple[int, int]] | None = None

    def of(self, ignore: Ignore) -> tuple[int, int]:
        """First and last line; an empty range where there is no code below the comment."""
        if ignore.scope == "file":
            return 1, _EVERYWHERE
        if ignore.scope == "line":
            return ignore.line, ignore.line
        first = next(
            (
                number
                for number, line in enumerate(self._lines[ignore.line :], ignore.line + 1)
                if line.strip() and not line.lstrip().startswith("#")
            ),
            None,
        )
        if first is None:
            return ignore.line, ignore.line - 1
        if re.match(r"\s*(?:@|(?:async\s+)?def\b)", self._lines[first - 1]):
            for head in self._heads:
                if head.line <= first <= head.end_line:
                    return first, head.end_line
        for start, end in self._logical():
            if start == first:
                return start, end
        return first, first

    def _logical(self) -> list[tuple[int, int]]:
        """First and last line of every logical line; those inside brackets are none."""
        if self._statements is None:
            self._statements = list(_logical_lines(self._lines))
        return self._statements


def _logical_lines(lines: list[str]) -> Iterator[tuple[int, int]]:
    import tokenize

    silent = {tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT}
    rest = iter(lines)
    start = None
    try:
        for token in tokenize.generate_tokens(lambda: next(rest, "") + "\n"):
            if token.type == tokenize.NEWLINE:
                if start is not None:
                    yield start, token.start[0]
                start = None
            elif start is None and token.type not in silent:
                start = token.start[0]
            if token.type == tokenize.ENDMARKER or token.start[0] > len(lines):
                return
    except (tokenize.TokenError, SyntaxError):
        return


class _PerFile:
    """The per-file-ignores of the settings."""

    def __init__(self, ignores: Mapping[str, tuple[str, ...]]) -> None:
        self._rules = [
            (
                Patterns([pattern.removeprefix("!")]),
                pattern.startswith("!"),
                {rule.code for label in labels for rule in registry.expand(label)},
            )
            for pattern, labels in ignores.items()
        ]
        self._codes: dict[str, frozenset[str]] = {}

    def silences(self, finding: Finding) -> bool:
        """Whether the finding's file is one where its rule does not count."""
        if not self._rules:
            return False
        path = finding.place.path
        if path not in self._codes:
            codes = (c for p, other, codes in self._rules if p.covers(path) != other for c in codes)
            self._codes[path] = frozenset(codes)
        return finding.code in self._codes[path]
