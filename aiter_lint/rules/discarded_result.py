"""Reports calls of helpers that only compute, where the result is dropped.

## What it does
Looks in kernels for a call that stands alone, of a jit helper that returns a value and has no
effect: it stores nothing, and neither does anything that it calls.

## Why is this bad
Values are never changed in place in a kernel. The call does nothing, and what was meant to happen -
a remapping of the program id, mostly - does not.

## Example
The swizzle is computed and forgotten:

## Use instead
The result is used:

## Fix safety
There is no fix: the call may be missing its assignment, or be one too many.

## Options
None.

## References
- [Triton language](https://triton-lang.org/main/python-api/triton.language.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Related, Severity
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT403",
    name="discarded-result",
    severity=Severity.WARNING,
    summary="the result of a jit helper that only computes is dropped",
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for kernel in project.kernels:
        for place, helper in project.discarded(kernel):
            yield META.finding(
                place,
                f"kernel `{kernel.name}` drops the result of `{helper.name}`, which does nothing "
                "but compute it: the call has no effect; use its result, or remove it",
                kernel=kernel,
                related=(Related(helper.place, f"`{helper.name}` is defined here"),),
            )


GOOD = (
    """\
# why: the result is used
@triton.jit
def remap(pid, N: tl.constexpr):
    return (pid * 7) % N


@triton.jit(repr=make_kernel_repr("copy", ["N"]))
def copy(x, N: tl.constexpr):
    pid = tl.program_id(0)
    pid = remap(pid, N)
    tl.store(x + pid, N)


def run(x):
    copy[(8,)](x, N=8)
""",
)

BAD = (
    """\
# why: nothing is changed in place
@triton.jit
def remap(pid, N: tl.constexpr):
    return (pid * 7) % N


@triton.jit(repr=make_kernel_repr("copy", ["N"]))
def copy(x, N: tl.constexpr):
    pid = tl.program_id(0)
    remap(pid, N)  # expect: discarded-result
    tl.store(x + pid, N)


def run(x):
    copy[(8,)](x, N=8)
""",
)
