"""Reports reprs on kernels that have no constexpr parameter.

## What it does
Looks for kernels without any constexpr parameter whose decorator takes a repr of keys.

## Why is this bad
Only constexpr parameters have a value in a name. Such a repr can say nothing but its base name,
which is what the kernel would be called anyway; a reader looks for keys that can't be there.

## Example
The name is `bump`, with the repr as without:

## Use instead
A launchable kernel with nothing to put in its name stays bare:

## Fix safety
The fix removes the repr, and its builder where nothing else uses it. It is offered where the base
name is the kernel's own: only then the trace stays as it was.

## Options
- `repr-builders`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, RemoveRepr, Severity
from aiter_lint.rules.repr_owner import borrowed, built
from aiter_lint.rules.rule import Meta, kernel_id

if TYPE_CHECKING:
    from aiter_lint.link.project import Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT102",
    name="repr-without-constexpr",
    severity=Severity.ADVICE,
    summary="repr on a kernel with no constexpr parameter: it can only say the bare name",
    fix="sometimes",
    options=("repr-builders",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for kernel, builder in built(project):
        if kernel.constexprs or kernel in borrowed(project):
            continue
        shown = builder.base or kernel.name
        yield META.finding(
            kernel.repr.place,
            f"kernel `{kernel.name}` has no constexpr parameter: with this repr a trace shows "
            f"`{shown}` and no configuration; remove the repr",
            kernel=kernel,
            repair=RemoveRepr(kernel_id(kernel)) if builder.base == kernel.name else None,
        )


GOOD = (
    """\
# why: bare, because there is nothing to say
@triton.jit
def bump(x, n):
    tl.store(x, n + 1)


def run(x):
    bump[(1,)](x, 8)
""",
)

BAD = (
    """\
# why: no parameter is a constexpr
_bump_repr = make_kernel_repr("bump", [])


@triton.jit(repr=_bump_repr)  # expect: repr-without-constexpr
def bump(x, n):
    tl.store(x, n + 1)


def run(x):
    bump[(1,)](x, 8)
""",
)
