"""Reports launched kernels with constexpr parameters and no repr.

## What it does
Looks for kernels that some launch in the project reaches - by whatever form: subscript, `run`,
`warmup`, a launcher that takes the kernel, a table, a re-export - whose decorator has no
`repr=` although the kernel has constexpr parameters. Helpers that only kernels call need none,
whatever their name; neither does a kernel without constexpr parameters.

## Why is this bad
A profiler shows a kernel by its name. Without a repr each of its configurations has the same
one, and thirty rows that read `_gemm` say nothing about which tile size is slow.

## Example
In a trace, both launches are `scale`:

## Use instead
Now they are `scale_BLOCK_64` and `scale_BLOCK_128`:

## Fix safety
The fix builds a repr above the decorators, with the keys that `aiter-lint kernels` suggests, and
attaches it; a repr that stands there already, attached to nothing, is attached instead. It is
unsafe where the project looks the kernel up by its name. It needs to know which function builds
reprs: the only `make_kernel_repr` of the project, or the one of the setting `repr-builder`.

## Options
- `repr-builder`
- `jit-decorators`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, InsertRepr, Related, Severity, UseRepr
from aiter_lint.rules.repr_owner import spare
from aiter_lint.rules.rule import Meta, kernel_id

if TYPE_CHECKING:
    from aiter_lint.link.project import Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT101",
    name="missing-repr",
    severity=Severity.ERROR,
    summary="launched kernel with constexpr parameters and no repr",
    fix="sometimes",
    options=("repr-builder", "jit-decorators"),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for kernel in project.kernels:
        if not kernel.launched or not kernel.constexprs or kernel.repr is not None:
            continue
        related = tuple(
            Related(binding.launch.place, "launched here") for binding in kernel.launches[:1]
        )
        own = spare(project, kernel)
        if own is None:
            advice = "give it a repr of its tile sizes, counts and flags"
            repair = InsertRepr(kernel_id(kernel))
        else:
            advice, repair = f"attach `{own.variable}`", UseRepr(kernel_id(kernel), own.variable)
            related = (Related(own.place, "its repr is built here, and never attached"), *related)
            if own.place.span.line > kernel.head.span.line:
                repair = None  # at the decorator the variable has no value yet
        yield META.finding(
            kernel.jit,
            f"launched kernel `{kernel.name}` has no repr: a trace shows `{kernel.name}` for every "
            f"configuration; {advice}",
            kernel=kernel,
            related=related,
            repair=repair,
        )


GOOD = (
    """\
# why: the name says the configuration
_scale_repr = make_kernel_repr("scale", ["BLOCK"])


@triton.jit(repr=_scale_repr)
def scale(x_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, tl.load(x_ptr + offsets) * 2)


def run(x):
    scale[(1,)](x, BLOCK=64)
    scale[(1,)](x, BLOCK=128)
""",
)

BAD = (
    """\
# why: two configurations, one name
@triton.jit  # expect: missing-repr
def scale(x_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(x_ptr + offsets, tl.load(x_ptr + offsets) * 2)


def run(x):
    scale[(1,)](x, BLOCK=64)
    scale[(1,)](x, BLOCK=128)
""",
)
