"""Reports assumptions that are false for some program or some launch.

## What it does
Evaluates the tests of `tl.assume` in kernels: for the first program of the grid, whose ids are 0,
and for what the launches of the project pass.

## Why is this bad
The compiler believes an assumption and builds on it: checks disappear, address arithmetic changes.
Where it is false the result is undefined - mostly right, until a compiler update.

## Example
The first program has id 0, and one launch passes a stride of 0:

## Use instead
What holds for all of them:

## Fix safety
There is no fix: the assumption may be wrong, or the launch.

## Options
None.

## References
- [triton.language.assume](https://triton-lang.org/main/python-api/generated/triton.language.assume.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Related, Severity
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Project, Refuted
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT402",
    name="false-assume",
    severity=Severity.ERROR,
    summary="tl.assume of something that is false for some program or some launch",
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for kernel in project.kernels:
        for false in project.refuted(kernel):
            yield META.finding(
                false.place,
                f"kernel `{kernel.name}` assumes `{false.test}`, which is false for "
                f"{false.witness}: the compiler builds on it, and the result is undefined",
                kernel=kernel,
                related=_story(false),
            )


def _story(false: Refuted) -> tuple[Related, ...]:
    if false.argument is None:
        return ()
    steps = [Related(false.argument.place, f"`{false.argument.param}` is passed here")]
    for step in reversed(false.value.trail if false.value else ()):
        if step.place != false.argument.place:
            steps.append(Related(step.place, step.note))
    return tuple(steps)


GOOD = (
    """\
# why: true for every program and every launch
@triton.jit(repr=make_kernel_repr("copy", ["B"]))
def copy(x, stride, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.assume(pid >= 0)
    tl.assume(stride >= 0)
    tl.store(x + pid * stride, B)


def run(x, contiguous):
    copy[(8,)](x, 0 if contiguous else 16, B=8)
""",
)

BAD = (
    """\
# why: program 0, and a stride of 0
@triton.jit(repr=make_kernel_repr("copy", ["B"]))
def copy(x, stride, B: tl.constexpr):
    pid = tl.program_id(0)
    tl.assume(pid > 0)  # expect: false-assume
    tl.assume(stride > 0)  # expect: false-assume
    tl.store(x + pid * stride, B)


def run(x, contiguous):
    copy[(8,)](x, 0 if contiguous else 16, B=8)
""",
)
