"""Reports config files without their fallback, and buckets without a key that the kernel needs.

## What it does
Looks at the JSON files behind a `config-loaders` setting whose top level maps buckets of rows
(`M_LEQ_<n>`, `M_GEQ_<n>`, `any`) to objects. There must be an `any`, each bucket must be an
object, and it must have the keys that the function which loads it reads from it, or passes on to
a kernel's parameters that nothing else supplies. A file behind a loader that is no valid JSON is
reported as well, whatever it was to hold.

A key that no file of the loader has is left to `launch-signature`. Where it can't be told which
kernel a file belongs to, its keys are not judged.

## Why is this bad
The launch raises a KeyError or a TypeError, for those shapes alone that pick the bucket: with no
fallback, for every number of rows that the tuner did not think of.

## Example
The bucket for few rows lacks `NUM_KSPLIT`:

## Use instead
All keys in all buckets:

## Fix safety
There is no fix: the right values come from the tuner. JSON has no comments, so an exception goes
into `per-file-ignores` or the baseline.

## Options
- `config-loaders`

## References
- [JSON](https://www.json.org/json-en.html)
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
    code="AIT502",
    name="incomplete-config",
    severity=Severity.ERROR,
    summary="a config file lacks its fallback entry, or an entry a key that the kernel needs",
    options=("config-loaders",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    tuned = project.tuned()
    for file in tuned.files:
        if file.fault is not None:
            message, place = file.fault
            yield META.finding(place, f"this config file can't be loaded: {message}")
        if file.named and not file.complete:
            yield META.finding(
                file.start,
                "this config file has no `any`: where no other bucket fits, the loader has "
                "nothing to return; add the fallback",
            )
        for name, place in file.odd:
            yield META.finding(place, f"bucket `{name}` is no object with launch values")
    for lacking in tuned.lacking:
        yield META.finding(
            lacking.bucket.place,
            f"bucket `{lacking.bucket.name}` has no `{lacking.key}`, which other buckets have and "
            f"the launch of kernel `{lacking.kernel.qualname}` needs: it fails for these shapes",
            kernel=lacking.kernel,
            key=lacking.key,
            related=(Related(lacking.reader, f"`{lacking.key}` is needed here"),),
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


@triton.jit(repr=make_kernel_repr("gemm", ["BLOCK", "NUM_KSPLIT"]))
def gemm(x, BLOCK: tl.constexpr, NUM_KSPLIT: tl.constexpr):
    tl.store(x, BLOCK * NUM_KSPLIT)


def run(x, m):
    gemm[(1,)](x, **get_config("gemm", m))
"""

GOOD = (
    """\
# why: every bucket has every key
# setting: config-loaders = { "loader.get_config" = "configs/*.json" }
# --- configs/gemm.json
{
  "M_LEQ_64": { "BLOCK": 64, "NUM_KSPLIT": 4 },
  "any": { "BLOCK": 128, "NUM_KSPLIT": 1 }
}
"""
    + _LOADER,
)

BAD = (
    """\
# why: a key is missing in one bucket
# setting: config-loaders = { "loader.get_config" = "configs/*.json" }
# --- configs/gemm.json
{
  "M_LEQ_64": { "BLOCK": 64 },  # expect: incomplete-config
  "any": { "BLOCK": 128, "NUM_KSPLIT": 1 }
}
"""
    + _LOADER,
    """\
# why: no fallback
# setting: config-loaders = { "loader.get_config" = "configs/*.json" }
# --- configs/gemm.json
{  # expect: incomplete-config
  "M_LEQ_64": { "BLOCK": 64, "NUM_KSPLIT": 4 }
}
"""
    + _LOADER,
)
