"""Comments that silence a rule: `# aiter-lint: ignore[rule] reason`."""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterable, Iterator

from aiter_lint.read.facts import Ignore
from aiter_lint.read.source import Source
from aiter_lint.span import Span

MARK = "aiter-lint:"

_COMMENT = re.compile(r"#\s*aiter-lint:\s*")
_IGNORE = re.compile(
    r"(?P<verb>ignore-file|ignore)\b\s*(?:\[(?P<rules>[^\]]*)\]?)?\s*(?P<reason>.*)"
)


def read_ignores(source: Source) -> tuple[Ignore, ...]:
    """The ignore comments of a file, in order; the same words in a string are none."""
    if MARK not in source.text:
        return ()
    return ignores_among(source, _comments(source))


def ignores_among(source: Source, comments: Iterable[tuple[int, int, str]]) -> tuple[Ignore, ...]:
    """The ignores among comments, given as line, column of the `#`, text."""
    result = []
    for line, column, text in comments:
        if MARK in text:
            match = _COMMENT.search(text)
            if match:
                alone = not source.lines[line - 1][: column - 1].strip()
                result.append(_read(line, column, text, match, "next" if alone else "line"))
    return tuple(result)


def _comments(source: Source) -> Iterator[tuple[int, int, str]]:
    lines = iter(source.lines)
    try:
        for token in tokenize.generate_tokens(lambda: next(lines) + "\n"):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.start[1] + 1, token.string
    except (tokenize.TokenError, SyntaxError, StopIteration):
        return


def _read(line: int, column: int, text: str, mark: re.Match[str], scope: str) -> Ignore:
    span = Span(line, column + mark.start(), line, column + len(text))
    match = _IGNORE.match(text, mark.end())
    if match is None:
        # no word that is known: said to be an unknown ignore, so that it silences nothing
        rest = text[mark.end() :].rstrip()
        rules = ((rest, _within(line, column + mark.end(), rest)),)
        return Ignore(scope, rules, "", line, span)
    rules = ()
    if match["rules"] is not None:
        start = column + match.start("rules")
        names = []
        for piece in match["rules"].split(","):
            name = piece.strip()
            lead = len(piece) - len(piece.lstrip()) if name else 0
            if name or not match["rules"].strip(" ,"):
                names.append((name, _within(line, start + lead, name)))
            start += len(piece) + 1
        rules = tuple(names)
    if match["verb"] == "ignore-file":
        scope = "file"
    return Ignore(scope, rules, match["reason"].strip(), line, span)


def _within(line: int, column: int, text: str) -> Span:
    return Span(line, column, line, column + len(text))
