"""Reports `do_not_specialize` entries that are constexpr parameters.

## What it does
Looks for constexpr parameters among the names in a decorator's `do_not_specialize`.

## Why is this bad
A constexpr is specialised by nature: each value is another compile. Triton 3.4 passes over the
entry in silence, later versions raise an error when the module is imported.

## Example
`SEQ` can't be both:

## Use instead
A runtime parameter may stay unspecialised:

## Fix safety
There is no fix: the annotation may be wrong, or the entry.

## Options
- `jit-decorators`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
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
    code="AIT405",
    name="constexpr-not-specialized",
    severity=Severity.ERROR,
    summary="do_not_specialize names a constexpr",
    options=("jit-decorators",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for kernel in project.kernels:
        for ref in kernel.not_specialized:
            parameter = kernel.param(ref.name)
            if parameter is None or not parameter.constexpr:
                continue
            yield META.finding(
                ref.place,
                f"`{ref.name}` of kernel `{kernel.name}` is a constexpr: each value is a "
                f"specialisation of its own, and Triton refuses it in `do_not_specialize`; take it "
                "out, or make it a runtime parameter",
                kernel=kernel,
                key=ref.name,
                related=(Related(parameter.place, f"`{ref.name}` is a constexpr here"),),
            )


GOOD = (
    """\
# why: a runtime parameter
@triton.jit(do_not_specialize=["seq"], repr=make_kernel_repr("attn", ["B"]))
def attn(x, seq, B: tl.constexpr):
    tl.store(x + seq, B)


def run(x, n):
    attn[(1,)](x, n, B=8)
""",
)

BAD = (
    """\
# why: a constexpr is specialised by nature
@triton.jit(
    do_not_specialize=["SEQ"],  # expect: constexpr-not-specialized
    repr=make_kernel_repr("attn", ["SEQ", "B"]),
)
def attn(x, SEQ: tl.constexpr, B: tl.constexpr):
    tl.store(x + SEQ, B)


def run(x):
    attn[(1,)](x, SEQ=64, B=8)
""",
)
