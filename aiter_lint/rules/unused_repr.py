"""Reports reprs that are built and attached to nothing.

## What it does
Looks for calls of a repr builder whose result no decorator takes and nothing else reads, exports
or passes on.

## Why is this bad
The author meant some kernel to have this name, and it has not: the trace shows another one. Or the
kernel is gone, and its repr was forgotten.

## Example
`_sub_repr` names no kernel:

## Use instead
A repr stands where a kernel takes it:

## Fix safety
The fix removes the assignment. It is safe: nothing reads the variable.

## Options
- `repr-builders`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, RemoveBuilder, Severity
from aiter_lint.rules.repr_owner import borrowed, spare, unused
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Builder, Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT108",
    name="unused-repr",
    severity=Severity.WARNING,
    summary="a repr built and attached to nothing",
    fix="always",
    options=("repr-builders",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    missed = _missed(project)
    for builder in project.builders:
        if not unused(builder) or builder in missed:
            continue
        what = f"`{builder.variable}`" if builder.variable else "this repr"
        yield META.finding(
            builder.place,
            f'{what} (base name "{builder.base or "..."}") is attached to no kernel: no trace '
            "shows it; attach it or remove it",
            repair=RemoveBuilder(builder.place),
        )


def _missed(project: Project) -> set[Builder]:
    """The reprs that a finding about their kernel tells of already: it takes another one's repr,
    or none although it needs one."""
    found = {loan.spare for loan in borrowed(project).values() if loan.spare is not None}
    for kernel in project.kernels:
        if kernel.launched and kernel.constexprs and kernel.repr is None:
            own = spare(project, kernel)
            if own is not None:
                found.add(own)
    return found


GOOD = (
    """\
# why: a decorator takes it
_add_repr = make_kernel_repr("add", ["B"])


@triton.jit(repr=_add_repr)
def add(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    add[(1,)](x, B=8)
""",
)

BAD = (
    """\
# why: the kernel is gone, its repr stayed
_add_repr = make_kernel_repr("add", ["B"])
_sub_repr = make_kernel_repr("sub", ["B"])  # expect: unused-repr


@triton.jit(repr=_add_repr)
def add(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    add[(1,)](x, B=8)
""",
)
