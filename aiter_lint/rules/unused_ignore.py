"""Reports ignore comments that silence nothing.

## What it does
Looks for `# aiter-lint: ignore[...]` and `ignore-file[...]` comments whose rules find nothing where
the comment holds. A rule that is not selected in this run does not count: its ignore may be needed
in another one.

## Why is this bad
The reason for the comment is gone. It hides the next finding, which is another one.

## Example
The kernel got a repr in the meantime:

## Use instead
No comment:

## Fix safety
The fix takes the rule out of the comment, and the comment away where none is left.

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
    code="AIT001",
    name="unused-ignore",
    severity=Severity.WARNING,
    summary="an ignore comment that silences nothing",
    fix="always",
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    """Nothing: only the suppress stage, which comes after the rules, knows what an ignore did."""
    yield from ()


GOOD = (
    """\
# why: no finding, no comment
@triton.jit(repr=make_kernel_repr("scale", ["B"]))
def scale(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    scale[(1,)](x, B=8)
""",
    """\
# why: the comment silences a finding
# aiter-lint: ignore[missing-repr] the name must match the shipped binary
@triton.jit
def scale(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    scale[(1,)](x, B=8)
""",
)

BAD = (
    """\
# why: the kernel got a repr in the meantime
# aiter-lint: ignore[missing-repr] to be done  # expect: unused-ignore
@triton.jit(repr=make_kernel_repr("scale", ["B"]))
def scale(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    scale[(1,)](x, B=8)
""",
)
