"""Reports keys that are launch options which the kernel does not declare.

## What it does
Looks for `num_warps`, `num_stages`, `waves_per_eu` and the other launch options of any backend
among the keys of a repr, where the kernel has no parameter of that name.

## Why is this bad
Launch options are not among the constants that a name is made of. The key prints NONE for ever,
whatever the launch passes.

## Example
The trace shows `scale_B_8_num_warps_NONE`:

## Use instead
Declared as a constexpr parameter and passed by keyword, an option is both: the name shows it, and
the compiler obeys. Or leave it out of the keys:

## Fix safety
The fix takes the key out of the list. It is not offered where another kernel reads the same list
and needs the key.

## Options
- `repr-builders`
- `launch-options`

## References
- [triton.Config](https://triton-lang.org/main/python-api/generated/triton.Config.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Severity
from aiter_lint.rules.keys import dead_keys, defined, removal
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Kernel, Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT203",
    name="launch-option-key",
    severity=Severity.ERROR,
    summary="launch option as a key, not declared as a constexpr parameter: NONE in the name",
    fix="sometimes",
    options=("repr-builders", "launch-options"),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    def undeclared(kernel: Kernel, key: str) -> bool:
        return kernel.param(key) is None and key in project.launch_options

    for kernel, builder, key in dead_keys(project, undeclared):
        yield META.finding(
            key.place,
            f"`{key.name}` is a launch option, and no parameter of kernel `{kernel.name}`: a trace "
            f"shows `{key.name}_NONE`; {_advice(kernel, key.name)}",
            kernel=kernel,
            key=key.name,
            related=defined(kernel),
            repair=removal(project, kernel, builder, key, dead=undeclared),
        )


def _advice(kernel: Kernel, option: str) -> str:
    twin = next((p.name for p in kernel.constexprs if p.name.lower() == option.lower()), None)
    if twin is not None:
        return f"remove it, the parameter is `{twin}`"
    return "remove it, or declare it as a tl.constexpr parameter"


GOOD = (
    """\
# why: declared, and passed by keyword
_scale_repr = make_kernel_repr("scale", ["B", "num_warps"])


@triton.jit(repr=_scale_repr)
def scale(x, B: tl.constexpr, num_warps: tl.constexpr):
    tl.store(x, B)


def run(x):
    scale[(1,)](x, B=8, num_warps=4)
""",
)

BAD = (
    """\
# why: passed, but not declared
_scale_repr = make_kernel_repr("scale", ["B", "num_warps"])  # expect: launch-option-key


@triton.jit(repr=_scale_repr)
def scale(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    scale[(1,)](x, B=8, num_warps=4)
""",
)
