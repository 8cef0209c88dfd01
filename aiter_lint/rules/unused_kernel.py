"""Reports kernels that nothing in the project refers to.

## What it does
Looks for jit functions that no launch reaches, no kernel calls, nothing imports, exports or names
in a string. Methods are left alone.

## Why is this bad
Dead code is read, ported and tuned like any other. In a library the kernel may of course be meant
for other packages; that is why this is advice.

## Example
Nothing calls `_scale_v1` any more:

## Use instead
Remove it, or export it where it is meant for others:

## Fix safety
There is no fix: other packages may launch the kernel.

## Options
None.

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
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
    code="AIT401",
    name="unused-kernel",
    severity=Severity.ADVICE,
    summary="no reference to the kernel in the whole project",
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for kernel in project.kernels:
        if kernel.role != "unreferenced" or kernel.method or kernel.handed:
            continue
        if kernel.name in project.strings or any(
            k.role != kernel.role for k in kernel.alternatives
        ):
            continue
        yield META.finding(
            kernel.jit,
            f"kernel `{kernel.name}` is neither launched nor called, imported or named anywhere in "
            "the project; remove it, or export it",
            kernel=kernel,
        )


GOOD = (
    """\
# why: launched
@triton.jit(repr=make_kernel_repr("scale", ["B"]))
def scale(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    scale[(1,)](x, B=8)
""",
)

BAD = (
    """\
# why: only its successor is launched
@triton.jit  # expect: unused-kernel
def _scale_v1(x, B: tl.constexpr):
    tl.store(x, B)


@triton.jit(repr=make_kernel_repr("scale", ["B"]))
def scale(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    scale[(1,)](x, B=8)
""",
)
