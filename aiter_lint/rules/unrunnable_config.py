"""Reports tuned configs in JSON that a kernel they reach refuses to compile with.

## What it does
Follows each bucket of the JSON files behind a `config-loaders` setting to the launches that get
its values, and evaluates the `static_assert`s of their kernels with them: tile, warps, stages,
splits, also through `constexpr_function`s and tables of supported tiles. Which file belongs to
which kernel follows from the strings of the loader's call and of the tests around the launch, as
far as the file's path has them. Where an assert, or the way to the launch, stays open, nothing is
reported.

## Why is this bad
Every launch that picks this bucket fails to compile. Nobody notices until someone runs that very
shape, since the other buckets of the file work.

## Example
The kernel is laid out for 4 warps; the bucket for few rows asks for 2:

## Use instead
Values that the kernel supports:

## Fix safety
There is no fix: the right values come from the tuner. JSON has no comments, so an exception goes
into `per-file-ignores` or the baseline.

## Options
- `config-loaders`

## References
- [triton.language.static_assert](https://triton-lang.org/main/python-api/generated/triton.language.static_assert.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Related, Severity
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Project, Refused
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT501",
    name="unrunnable-config",
    severity=Severity.ERROR,
    summary="a tuned config in JSON contradicts the kernel's static_asserts or supported tiles",
    options=("config-loaders",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for refused in project.tuned().refused:
        key = refused.keys[0]
        yield META.finding(
            refused.bucket.places[key],
            _message(refused),
            kernel=refused.kernel,
            key=key,
            related=(
                Related(refused.place, f"kernel `{refused.kernel.name}` asserts it here"),
                Related(refused.launch, "launched here with this config"),
            ),
        )


def _message(refused: Refused) -> str:
    bucket = f"bucket `{refused.bucket.name}`" if refused.bucket.name else "this config"
    given = ", ".join(f"`{key}` = {value}" for key, value in zip(refused.keys, refused.values))
    return (
        f"kernel `{refused.kernel.qualname}` does not compile with {bucket}: {given} contradicts "
        f"its static_assert `{refused.test}`"
    )


_LOADER = """\
# --- loader.py
import json


def get_config(op, m):
    with open(f"configs/{op}.json") as file:
        buckets = json.load(file)
    return buckets["M_LEQ_64" if m <= 64 else "any"]
# --- k.py
import triton
import triton.language as tl
from loader import get_config
from names import make_kernel_repr

"""

GOOD = (
    """\
# why: four warps in every bucket
# setting: config-loaders = { "loader.get_config" = "configs/*.json" }
# --- configs/gemm.json
{
  "M_LEQ_64": { "BLOCK": 64, "num_warps": 4 },
  "any": { "BLOCK": 128, "num_warps": 4 }
}
"""
    + _LOADER
    + """\

@triton.jit(repr=make_kernel_repr("gemm", ["BLOCK", "num_warps"]))
def gemm(x, BLOCK: tl.constexpr, num_warps: tl.constexpr):
    tl.static_assert(num_warps == 4)
    tl.store(x, BLOCK)


def run(x, m):
    gemm[(1,)](x, **get_config("gemm", m))
""",
)

BAD = (
    """\
# why: two warps in one bucket
# setting: config-loaders = { "loader.get_config" = "configs/*.json" }
# --- configs/gemm.json
{
  "M_LEQ_64": { "BLOCK": 64, "num_warps": 2 },  # expect: unrunnable-config
  "any": { "BLOCK": 128, "num_warps": 4 }
}
"""
    + _LOADER
    + """\

@triton.jit(repr=make_kernel_repr("gemm", ["BLOCK", "num_warps"]))
def gemm(x, BLOCK: tl.constexpr, num_warps: tl.constexpr):
    tl.static_assert(num_warps == 4)
    tl.store(x, BLOCK)


def run(x, m):
    gemm[(1,)](x, **get_config("gemm", m))
""",
)
