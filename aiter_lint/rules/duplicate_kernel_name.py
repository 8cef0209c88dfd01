"""Reports launched kernels of one module that share a base name.

## What it does
Compares the base names of the reprs of a module's launched kernels. Definitions of one name
under `if`/`else` or `try` count as one kernel. A kernel whose repr is plainly another's is
reported by repr-of-another-kernel instead.

## Why is this bad
Two kernels run under one name; their rows in a trace add up to numbers that belong to neither.

## Example
Both kernels are shown as `attn_B_64`:

## Use instead
Each has its own base name:

## Fix safety
There is no fix: which of the two keeps the name is for you to say.

## Options
- `repr-builders`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Related, Severity
from aiter_lint.rules.repr_owner import borrowed, built, fits
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Kernel, Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT106",
    name="duplicate-kernel-name",
    severity=Severity.WARNING,
    summary="two launched kernels of one module have reprs with the same base name",
    options=("repr-builders",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for base, kernels in _same_base(project):
        kernels.sort(key=lambda kernel: not fits(base, kernel))  # who may keep the name is first
        first = kernels[0]
        for kernel in kernels[1:]:
            builder = kernel.repr.builder
            place = builder.base_place or builder.place
            if builder is first.repr.builder:
                place = kernel.repr.place
            yield META.finding(
                place,
                f"kernels `{kernel.name}` and `{first.name}` of one module both have the base name "
                f"`{base}`: a trace can't tell them apart; give `{kernel.name}` its own",
                kernel=kernel,
                related=(
                    Related(first.repr.place, f"`{first.name}` takes its repr here"),
                    Related(kernel.repr.place, f"`{kernel.name}` takes its repr here"),
                ),
            )


def _same_base(project: Project) -> Iterator[tuple[str, list[Kernel]]]:
    groups: dict[tuple[str, str], list[Kernel]] = {}
    for kernel, builder in built(project):
        if builder.base is None or not kernel.launched or kernel in borrowed(project):
            continue
        group = groups.setdefault((kernel.path, builder.base), [])
        if not any(kernel in other.alternatives or other in kernel.alternatives for other in group):
            group.append(kernel)
    for (_, base), group in groups.items():
        if len(group) > 1:
            yield base, group


GOOD = (
    """\
# why: two kernels, two base names
_fwd_repr = make_kernel_repr("attn_fwd", ["B"])
_bwd_repr = make_kernel_repr("attn_bwd", ["B"])


@triton.jit(repr=_fwd_repr)
def attn_fwd(x, B: tl.constexpr):
    tl.store(x, B)


@triton.jit(repr=_bwd_repr)
def attn_bwd(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    attn_fwd[(1,)](x, B=64)
    attn_bwd[(1,)](x, B=64)
""",
)

BAD = (
    """\
# why: one base name for two kernels
_fwd_repr = make_kernel_repr("attn", ["B"])
_bwd_repr = make_kernel_repr("attn", ["B"])  # expect: duplicate-kernel-name


@triton.jit(repr=_fwd_repr)
def attn_fwd(x, B: tl.constexpr):
    tl.store(x, B)


@triton.jit(repr=_bwd_repr)
def attn_bwd(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    attn_fwd[(1,)](x, B=64)
    attn_bwd[(1,)](x, B=64)
""",
)
