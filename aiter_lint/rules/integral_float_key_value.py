"""Reports keys that get a whole number written as a float.

## What it does
Follows what each launch, Config and heuristic gives to a key, and speaks where that is a float
without a fraction: `1.0`, `128 / 4`.

## Why is this bad
It works today: `1.0` renders as `1`. The parameter is a float by nature, though, and the first
caller who passes 0.5 breaks the compile of this kernel.

## Example
The name is `scale_B_8_ALPHA_1`, until somebody wants half:

## Use instead
Integers where only integers are meant, or no key:

## Fix safety
There is no fix: whether the value is an integer by nature is yours to know.

## Options
- `repr-builders`
- `config-loaders`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Severity
from aiter_lint.rules.key_values import Fed, is_fractional, is_integral_float, named, report
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Project
    from aiter_lint.link.values import Value
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT305",
    name="integral-float-key-value",
    severity=Severity.ADVICE,
    summary="a key gets 0.0, 1.0, ...: fine today, breaks with the first 0.5",
    options=("repr-builders", "config-loaders"),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    yield from report(
        META, project, is_integral_float, _message, unless=is_fractional, removable=False
    )


def _message(fed: Fed, value: Value) -> str:
    key = fed.key.name
    return (
        f"key `{key}` of kernel `{fed.kernel.name}` gets the float {named(fed, value)}: a trace "
        f"shows it as an integer today, and the first fraction breaks the compile; write an "
        f"integer, or take `{key}` out of the keys"
    )


GOOD = (
    """\
# why: an integer
_scale_repr = make_kernel_repr("scale", ["B", "ALPHA"])


@triton.jit(repr=_scale_repr)
def scale(x, B: tl.constexpr, ALPHA: tl.constexpr):
    tl.store(x, B * ALPHA)


def run(x):
    scale[(1,)](x, B=8, ALPHA=1)
""",
)

BAD = (
    """\
# why: a float by nature that happens to be whole
_scale_repr = make_kernel_repr("scale", ["B", "ALPHA"])


@triton.jit(repr=_scale_repr)
def scale(x, B: tl.constexpr, ALPHA: tl.constexpr):
    tl.store(x, B * ALPHA)


def run(x):
    scale[(1,)](x, B=8, ALPHA=1.0)  # expect: integral-float-key-value
    scale[(1,)](x, B=8, ALPHA=128 / 4)  # expect: integral-float-key-value
""",
)
