"""Ignore comments: what is one, what it covers, and that a broken one silences nothing."""

from __future__ import annotations

import pytest

from aiter_lint.read.facts import Ignore
from aiter_lint.read.reader import read_file
from aiter_lint.span import Span


def ignores_of(text: str) -> tuple[Ignore, ...]:
    return read_file(text.encode()).ignores


def words(ignore: Ignore) -> list[str]:
    return [rule for rule, _ in ignore.rules]


@pytest.mark.parametrize(
    "text",
    [
        "x = '# aiter-lint: ignore'\n",
        '"""\n# aiter-lint: ignore\n"""\n',
        "x = f'# aiter-lint: ignore {y}'\n",
        "# aiter-lint is a linter\n",
    ],
    ids=["string", "docstring", "f-string", "prose"],
)
def test_none(text: str) -> None:
    assert ignores_of(text) == ()


@pytest.mark.parametrize(
    ("comment", "rules", "reason"),
    [
        ("# aiter-lint: ignore", [], ""),
        ("# aiter-lint: ignore[missing-repr]", ["missing-repr"], ""),
        ("#aiter-lint:ignore[AIT101,unknown-key] by hand", ["AIT101", "unknown-key"], "by hand"),
        ("# aiter-lint: ignore [ a , b ]  why ", ["a", "b"], "why"),
        ("# noqa # aiter-lint: ignore[a]", ["a"], ""),
        ("# aiter-lint: ignore[a", ["a"], ""),
        ("# aiter-lint: ignore[]", [""], ""),
        ("# aiter-lint: ignroe[a]", ["ignroe[a]"], ""),
        ("# aiter-lint: ignored", ["ignored"], ""),
        ("# aiter-lint:", [""], ""),
    ],
)
def test_forms(comment: str, rules: list[str], reason: str) -> None:
    (ignore,) = ignores_of(f"x = 1  {comment}\n")
    assert (words(ignore), ignore.reason, ignore.scope) == (rules, reason, "line")


def test_scopes() -> None:
    text = (
        "# aiter-lint: ignore-file[a]\n    # aiter-lint: ignore[b]\nx = 1  # aiter-lint: ignore\n"
    )
    assert [(ignore.scope, ignore.line) for ignore in ignores_of(text)] == [
        ("file", 1),
        ("next", 2),
        ("line", 3),
    ]


def test_places() -> None:
    (ignore,) = ignores_of("é = 1  # noqa  # aiter-lint: ignore[a,  bc] why\n")
    assert ignore.span == Span(1, 16, 1, 48)
    assert ignore.rules == (("a", Span(1, 37, 1, 38)), ("bc", Span(1, 41, 1, 43)))


def test_comments_in_brackets_and_after_a_backslash() -> None:
    text = "x = [  # aiter-lint: ignore[a]\n    1,\n    # aiter-lint: ignore[b]\n]\n"
    assert [words(ignore) for ignore in ignores_of(text)] == [["a"], ["b"]]
