"""Reports a `name_key` that is no constexpr parameter.

## What it does
Checks that the third argument of a repr builder - the parameter whose value, where given, replaces
the base name - is a constexpr parameter of the kernel.

## Why is this bad
The value is never there when the name is made, so the base name stays, and the kernels that
should have names of their own all have the same.

## Example
Both launches are shown as `mm_B_64`:

## Use instead
The parameter is a constexpr:

## Fix safety
There is no fix: the right parameter is yours to name.

## Options
- `repr-builders`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Severity
from aiter_lint.nearest import nearest
from aiter_lint.rules.keys import defined
from aiter_lint.rules.repr_owner import borrowed, built
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Kernel, Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT206",
    name="unknown-name-key",
    severity=Severity.ERROR,
    summary="name_key is no constexpr parameter",
    options=("repr-builders",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for kernel, builder in built(project):
        name = builder.name_key
        if name is None or kernel in borrowed(project):
            continue
        parameter = kernel.param(name)
        if parameter is not None and parameter.constexpr:
            continue
        yield META.finding(
            builder.name_key_place or builder.place,
            f"name_key `{name}` {_fault(kernel, name)}: a trace always shows the base name "
            f"`{builder.base or '...'}`",
            kernel=kernel,
            key=name,
            related=defined(kernel),
        )


def _fault(kernel: Kernel, name: str) -> str:
    if kernel.param(name) is not None:
        return f"is a runtime parameter of kernel `{kernel.name}`, make it a tl.constexpr"
    meant = nearest(name, [parameter.name for parameter in kernel.constexprs])
    tail = f", did you mean `{meant}`?" if meant else ""
    return f"is no parameter of kernel `{kernel.name}`{tail}"


GOOD = (
    """\
# why: the launch may give the kernel another name
_mm_repr = make_kernel_repr("mm", ["B"], "NAME")


@triton.jit(repr=_mm_repr)
def mm(x, B: tl.constexpr, NAME: tl.constexpr = None):
    tl.store(x, B)


def run(x):
    mm[(1,)](x, B=64)
    mm[(1,)](x, B=64, NAME="mm_router")
""",
)

BAD = (
    """\
# why: no parameter has that name
_mm_repr = make_kernel_repr("mm", ["B"], "KERNEL_NAME")  # expect: unknown-name-key


@triton.jit(repr=_mm_repr)
def mm(x, B: tl.constexpr, NAME: tl.constexpr = None):
    tl.store(x, B)


def run(x):
    mm[(1,)](x, B=64)
    mm[(1,)](x, B=64, NAME="mm_router")
""",
)
