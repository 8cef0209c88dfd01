"""Reports names in autotune and heuristics that no parameter has.

## What it does
Looks up autotune's `key`, `reset_to_zero` and `restore_value`, the names that heuristics supply,
and the keywords of each Config among the kernel's parameters. Launch options of any backend
(`num_warps`, `matrix_instr_nonkdim`, ...) are fine.

## Why is this bad
A Config or a heuristic for no parameter is a KeyError at the first launch. A `key` that is no
parameter is ignored up to Triton 3.8 - the kernel is then tuned once for all sizes - and an error
from 3.9 on.

## Example
The parameter is called `n` now, and `BLOCK` was never one:

## Use instead
Names are written as the parameters are:

## Fix safety
There is no fix: which parameter was meant is yours to know.

## Options
- `launch-options`

## References
- [triton.autotune](https://triton-lang.org/main/python-api/generated/triton.autotune.html)
- [triton.heuristics](https://triton-lang.org/main/python-api/generated/triton.heuristics.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Severity
from aiter_lint.nearest import nearest
from aiter_lint.rules.keys import defined
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Kernel, Project
    from aiter_lint.settings import Settings
    from aiter_lint.span import Place

META = Meta(
    code="AIT404",
    name="unknown-tuning-key",
    severity=Severity.ERROR,
    summary="a name in autotune, heuristics or a Config that no parameter has",
    options=("launch-options",),
)

_OUTCOMES = {
    "key": ("autotune's `key` names", "ignored before Triton 3.9, an error from then on"),
    "reset_to_zero": ("autotune's `reset_to_zero` names", "a KeyError when it is tuned"),
    "restore_value": ("autotune's `restore_value` names", "a KeyError when it is tuned"),
    "heuristic": ("a heuristic supplies", "a KeyError at the launch"),
    "config": ("a Config supplies", "a KeyError at the launch"),
}


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for kernel in project.kernels:
        told = set()
        for name, place, source in _names(kernel):
            known = any(twin.param(name) for twin in (kernel, *kernel.alternatives))
            if known or name in project.launch_options or (name, place) in told:
                continue
            told.add((name, place))
            what, outcome = _OUTCOMES.get(source, ("the tuning names", "an error"))
            meant = nearest(name, [parameter.name for parameter in kernel.params])
            yield META.finding(
                place,
                f"{what} `{name}`, which is no parameter of kernel `{kernel.name}`: {outcome}"
                + (f"; did you mean `{meant}`?" if meant else ""),
                kernel=kernel,
                key=name,
                related=defined(kernel),
            )


def _names(kernel: Kernel) -> Iterator[tuple[str, Place, str]]:
    """(name, place, where it stands) of what must be a parameter."""
    for tuning in (kernel.tuning, *(binding.tuning for binding in kernel.launches)):
        for ref in tuning.names:
            yield ref.name, ref.place, ref.source
        for config in tuning.configs:
            for entry in config.values:
                if not entry.place.path.endswith(".json"):  # all files of a loader, joined
                    yield entry.name, entry.place, "config"


GOOD = (
    """\
# why: parameters, and an option of another backend
@triton.autotune(
    configs=[triton.Config({"B": 64, "matrix_instr_nonkdim": 16}, num_warps=4)], key=["n"]
)
@triton.heuristics({"EVEN": lambda args: args["n"] % args["B"] == 0})
@triton.jit(repr=make_kernel_repr("scale", ["B", "EVEN"]))
def scale(x, n, B: tl.constexpr, EVEN: tl.constexpr):
    tl.store(x + n, B)


def run(x, n):
    scale[(1,)](x, n)
""",
)

BAD = (
    """\
# why: a renamed parameter, and a Config of another kernel
@triton.autotune(
    configs=[
        triton.Config({"B": 64}),
        triton.Config({"BLOCK": 64}),  # expect: unknown-tuning-key
    ],
    key=["n_rows"],  # expect: unknown-tuning-key
)
@triton.jit(repr=make_kernel_repr("scale", ["B"]))
def scale(x, n, B: tl.constexpr):
    tl.store(x + n, B)


def run(x, n):
    scale[(1,)](x, n)
""",
)
