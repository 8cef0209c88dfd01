"""Reports reprs on helpers.

## What it does
Looks for a repr on functions that no launch reaches, because they are only called inside other
kernels, or handed to them.

## Why is this bad
A helper is compiled into the kernel that calls it. Its repr is never asked, so it only says to
readers that this function is launched - which it is not.

## Example
No trace ever shows `twice_B_8`:

## Use instead
A helper stays bare:

## Fix safety
The fix removes the repr, and its builder where nothing else uses it.

## Options
None.

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, RemoveRepr, Severity
from aiter_lint.rules.rule import Meta, kernel_id

if TYPE_CHECKING:
    from aiter_lint.link.project import Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT103",
    name="repr-on-device-helper",
    severity=Severity.ADVICE,
    summary="helpers are never named by their repr",
    fix="always",
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for kernel in project.kernels:
        if kernel.role != "device" or kernel.repr is None:
            continue
        yield META.finding(
            kernel.repr.place,
            f"`{kernel.name}` is a helper: only kernels call it, nothing launches it, and no trace "
            "shows its repr; remove the repr",
            kernel=kernel,
            repair=RemoveRepr(kernel_id(kernel)),
        )


GOOD = (
    """\
# why: the kernel has a repr, its helper has none
@triton.jit
def twice(v, B: tl.constexpr):
    return v * 2


@triton.jit(repr=make_kernel_repr("outer", ["B"]))
def outer(x, B: tl.constexpr):
    tl.store(x, twice(tl.load(x), B))


def run(x):
    outer[(1,)](x, B=8)
""",
)

BAD = (
    """\
# why: only another kernel calls it
@triton.jit(repr=make_kernel_repr("twice", ["B"]))  # expect: repr-on-device-helper
def twice(v, B: tl.constexpr):
    return v * 2


@triton.jit(repr=make_kernel_repr("outer", ["B"]))
def outer(x, B: tl.constexpr):
    tl.store(x, twice(tl.load(x), B))


def run(x):
    outer[(1,)](x, B=8)
""",
)
