"""Reports kernels whose decorator takes the repr of another kernel.

## What it does
Looks for a repr whose base name is the name of another kernel - of the same module, of the
module that builds the repr, or of one that shares the repr object. Two definitions of one name
under `if`/`else` or `try` are one kernel.

## Why is this bad
The trace shows the other kernel's name. Whoever tunes by that trace tunes the wrong kernel. It is
what a copied decorator leaves behind.

## Example
Every launch of `mm_shuffled` is shown as `mm`:

## Use instead
Each kernel takes its own repr:

## Fix safety
Where the kernel's own repr is built above it and attached to nothing, the fix attaches that one.
It is unsafe where the project looks the kernel up by its name.

## Options
- `repr-builders`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Related, Severity, UseRepr
from aiter_lint.rules.repr_owner import borrowed
from aiter_lint.rules.rule import Meta, kernel_id

if TYPE_CHECKING:
    from aiter_lint.link.project import Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT104",
    name="repr-of-another-kernel",
    severity=Severity.ERROR,
    summary="the decorator takes the repr of another kernel",
    fix="sometimes",
    options=("repr-builders",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for kernel, loan in borrowed(project).items():
        base = kernel.repr.builder.base
        related = [Related(loan.owner.place, f"kernel `{loan.owner.name}` is defined here")]
        advice, repair = f'give it a repr of its own: make_kernel_repr("{kernel.name}", ...)', None
        if loan.spare is not None:
            advice = f"take `{loan.spare.variable}`"
            related.insert(0, Related(loan.spare.place, "its own repr is built here, unused"))
            if loan.spare.place.span.line < kernel.head.span.line:
                repair = UseRepr(kernel_id(kernel), loan.spare.variable)
        yield META.finding(
            kernel.repr.place,
            f"kernel `{kernel.name}` takes the repr of `{loan.owner.name}`: a trace shows it as "
            f"`{base}`; {advice}",
            kernel=kernel,
            related=tuple(related),
            repair=repair,
        )


GOOD = (
    """\
# why: each kernel under its own repr
_mm_repr = make_kernel_repr("mm", ["B"])
_mm_shuffled_repr = make_kernel_repr("mm_shuffled", ["B", "TILES"])


@triton.jit(repr=_mm_repr)
def mm(x, B: tl.constexpr):
    tl.store(x, B)


@triton.jit(repr=_mm_shuffled_repr)
def mm_shuffled(x, B: tl.constexpr, TILES: tl.constexpr):
    tl.store(x, B * TILES)


def run(x):
    mm[(1,)](x, B=32)
    mm_shuffled[(1,)](x, B=32, TILES=2)
""",
)

BAD = (
    """\
# why: a copied decorator; the kernel's own repr is told with it, not again
_mm_repr = make_kernel_repr("mm", ["B"])
_mm_shuffled_repr = make_kernel_repr("mm_shuffled", ["B", "TILES"])


@triton.jit(repr=_mm_repr)
def mm(x, B: tl.constexpr):
    tl.store(x, B)


@triton.jit(repr=_mm_repr)  # expect: repr-of-another-kernel
def mm_shuffled(x, B: tl.constexpr, TILES: tl.constexpr):
    tl.store(x, B * TILES)


def run(x):
    mm[(1,)](x, B=32)
    mm_shuffled[(1,)](x, B=32, TILES=2)
""",
)
