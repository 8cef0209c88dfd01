"""Reports reprs whose base name is not the kernel's name.

## What it does
Compares the base name that a repr is built with to the name of the function under it. A tag
before or after the name is fine: `gemm_gfx950` and `fast_gemm` for `gemm`.

## Why is this bad
A row of a trace leads to its source by the name. After a rename that forgot the repr, the search
ends nowhere.

## Example
The trace says `layernorm`, and no such kernel exists:

## Use instead
The base name is the function's:

## Fix safety
There is no fix: tools and dashboards may know the old name.

## Options
- `repr-builders`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Severity
from aiter_lint.rules.keys import defined
from aiter_lint.rules.repr_owner import IDENTIFIER, borrowed, built, fits
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT105",
    name="base-name-mismatch",
    severity=Severity.ADVICE,
    summary="base name is not the function's name, nor that plus a tag",
    options=("repr-builders",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    others = borrowed(project)
    for kernel, builder in built(project):
        base = builder.base
        if base is None or not IDENTIFIER.fullmatch(base) or kernel in others:
            continue
        if not fits(base, kernel):
            yield META.finding(
                builder.base_place or builder.place,
                f"kernel `{kernel.name}` is shown as `{base}` in a trace, a name that leads to no "
                f'function; use the base name "{kernel.name}"',
                kernel=kernel,
                related=defined(kernel),
            )


GOOD = (
    """\
# why: the function's name
_rms_norm_repr = make_kernel_repr("rms_norm", ["B"])


@triton.jit(repr=_rms_norm_repr)
def rms_norm(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    rms_norm[(1,)](x, B=64)
""",
)

BAD = (
    """\
# why: the kernel was renamed, its repr was not
_norm_repr = make_kernel_repr("layernorm", ["B"])  # expect: base-name-mismatch


@triton.jit(repr=_norm_repr)
def rms_norm(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    rms_norm[(1,)](x, B=64)
""",
)
