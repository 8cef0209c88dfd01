"""Reports keys that are parameters, but not constexpr ones.

## What it does
Checks that each key of a repr is a constexpr parameter. An annotation such as `int` or `tl.int64`
makes none.

## Why is this bad
When the name is made, a runtime parameter has no value: the key prints NONE, except where the
launch happens to pass 1, which Triton specialises on. With an annotation, or in
`do_not_specialize`, it is NONE always. A name that said the value would mean one compile for each.

## Example
The trace shows `decode_seq_len_NONE_B_8`:

## Use instead
Only compile-time parameters are keys:

## Fix safety
The fix takes the key out of the list. It is not offered where another kernel reads the same list
and needs the key.

## Options
- `repr-builders`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Related, Severity
from aiter_lint.rules.keys import dead_keys, removal
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Kernel, Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT202",
    name="runtime-key",
    severity=Severity.ERROR,
    summary="key is a parameter but no constexpr: NONE in the name, or 1 where the value is 1",
    fix="sometimes",
    options=("repr-builders",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for kernel, builder, key in dead_keys(project, _runtime):
        parameter = kernel.param(key.name)
        yield META.finding(
            key.place,
            f"`{key.name}` is a runtime parameter of kernel `{kernel.name}`: a trace shows "
            f"{_shown(kernel, key.name)}; remove the key, or make the parameter a tl.constexpr",
            kernel=kernel,
            key=key.name,
            related=(Related(parameter.place, f"`{key.name}` is no constexpr here"),),
            repair=removal(project, kernel, builder, key, dead=_runtime),
        )


def _runtime(kernel: Kernel, key: str) -> bool:
    parameter = kernel.param(key)
    return parameter is not None and not parameter.constexpr


def _shown(kernel: Kernel, key: str) -> str:
    fixed = any(ref.name == key for ref in kernel.not_specialized)
    if fixed or kernel.param(key).annotation is not None:
        return f"`{key}_NONE`"
    return f"`{key}_NONE`, or `{key}_1` where 1 is passed"


GOOD = (
    """\
# why: the key is a constexpr
_decode_repr = make_kernel_repr("decode", ["B"])


@triton.jit(repr=_decode_repr)
def decode(x, seq_len, B: tl.constexpr):
    tl.store(x + seq_len, B)


def run(x, n):
    decode[(1,)](x, n, B=8)
""",
)

BAD = (
    """\
# why: a length is known at run time only
_decode_repr = make_kernel_repr("decode", ["seq_len", "B"])  # expect: runtime-key


@triton.jit(repr=_decode_repr)
def decode(x, seq_len, B: tl.constexpr):
    tl.store(x + seq_len, B)


def run(x, n):
    decode[(1,)](x, n, B=8)
""",
)
