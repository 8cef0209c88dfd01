"""Reports keys that are no parameter of their kernel.

## What it does
Looks up each key of a repr among the parameters of every kernel that takes it. A local constant
of the body is no parameter, `BLOCK: tl.constexpr = N // 2` included.

## Why is this bad
The key prints NONE in every name. What it was meant to show - a renamed parameter, mostly - is not
there, and the trace blurs the configurations that it should tell apart.

## Example
The parameter is called `NUM_HEADS` now; the trace shows `attn_num_heads_NONE_TILE_64`:

## Use instead
A key is written as the parameter is:

## Fix safety
The fix takes the key out of the list. It is not offered where another kernel reads the same list
and needs the key.

## Options
- `repr-builders`
- `launch-options`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Severity
from aiter_lint.nearest import nearest
from aiter_lint.rules.keys import dead_keys, defined, removal
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Kernel, Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT201",
    name="unknown-key",
    severity=Severity.ERROR,
    summary="key is no parameter: it renders NONE in every trace name",
    fix="sometimes",
    options=("repr-builders", "launch-options"),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    def unknown(kernel: Kernel, key: str) -> bool:
        return kernel.param(key) is None and key not in project.launch_options

    for kernel, builder, key in dead_keys(project, unknown):
        meant = nearest(key.name, [parameter.name for parameter in kernel.constexprs])
        advice = f"did you mean `{meant}`?" if meant else "remove it"
        yield META.finding(
            key.place,
            f"kernel `{kernel.name}` has no parameter `{key.name}`: a trace shows "
            f"`{key.name}_NONE`; {advice}",
            kernel=kernel,
            key=key.name,
            related=defined(kernel),
            repair=removal(project, kernel, builder, key, dead=unknown),
        )


GOOD = (
    """\
# why: every key is a parameter
_attn_repr = make_kernel_repr("attn", ["NUM_HEADS", "TILE"])


@triton.jit(repr=_attn_repr)
def attn(x, NUM_HEADS: tl.constexpr, TILE: tl.constexpr):
    tl.store(x, NUM_HEADS * TILE)


def run(x):
    attn[(1,)](x, NUM_HEADS=8, TILE=64)
""",
)

BAD = (
    """\
# why: the parameter was renamed
_attn_repr = make_kernel_repr("attn", ["num_heads", "TILE"])  # expect: unknown-key


@triton.jit(repr=_attn_repr)
def attn(x, NUM_HEADS: tl.constexpr, TILE: tl.constexpr):
    tl.store(x, NUM_HEADS * TILE)


def run(x):
    attn[(1,)](x, NUM_HEADS=8, TILE=64)
""",
)
