"""Reports ignore comments for rules that don't exist.

## What it does
Looks up each rule that an `# aiter-lint: ignore[...]` comment names, by code or by name.

## Why is this bad
The comment silences nothing, though it looks as if it did. Mostly the rule's name is misspelt.

## Example
The rule is called `missing-repr`:

## Use instead
The name as `aiter-lint rules` lists it:

## Fix safety
The fix takes the unknown rule out of the comment, and the comment away where none is left.

## Options
None.

## References
None.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Severity
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT002",
    name="unknown-ignore",
    severity=Severity.WARNING,
    summary="an ignore comment for a rule that does not exist",
    fix="always",
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    """Nothing: ignore comments are the suppress stage's."""
    yield from ()


GOOD = (
    """\
# why: by name, and by code
# aiter-lint: ignore[missing-repr] the name must match the shipped binary
@triton.jit
def scale(x, B: tl.constexpr):
    tl.store(x, B)


# aiter-lint: ignore[AIT101] likewise
@triton.jit
def shift(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    scale[(1,)](x, B=8)
    shift[(1,)](x, B=8)
""",
)

BAD = (
    """\
# why: no rule has that name, and the finding stays
# aiter-lint: ignore[mising-repr] the name must match  # expect: unknown-ignore
@triton.jit  # expect: missing-repr
def scale(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    scale[(1,)](x, B=8)
""",
)
