"""Reports keys that get a size of a tensor.

## What it does
Follows what each launch gives to a key, and speaks where that is computed from a tensor's shape,
strides or number of elements. Flags computed from a size are fine: they have two values.

## Why is this bad
Each new size is a new constexpr: another compile, another name, another row in the trace. For a
hidden size that a model fixes this is what one wants; for a number of tokens it is a compile in
the middle of serving.

## Example
Every sequence length compiles again, as `norm_N_17`, `norm_N_18`, ...:

## Use instead
A size rounded up to a block, or a runtime parameter:

## Fix safety
There is no fix: whether the size is fixed is yours to know.

## Options
- `repr-builders`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Severity
from aiter_lint.link.values import Kind
from aiter_lint.rules.key_values import Fed, named, report
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Project
    from aiter_lint.link.values import Value
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT304",
    name="unbounded-key-value",
    severity=Severity.ADVICE,
    summary="a key gets a tensor's shape, stride or length: a name and a compile for each size",
    options=("repr-builders",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    yield from report(META, project, _is_size, _message, removable=False)


def _is_size(value: Value) -> bool:
    return value.size and value.kind is Kind.INT


def _message(fed: Fed, value: Value) -> str:
    key = fed.key.name
    return (
        f"key `{key}` of kernel `{fed.kernel.name}` gets the size {named(fed, value)}: each new "
        f"size is another name and another compile; make `{key}` a runtime parameter, or round it"
    )


GOOD = (
    """\
# why: the length is a runtime parameter, the key is a block
_norm_repr = make_kernel_repr("norm", ["B"])


@triton.jit(repr=_norm_repr)
def norm(x, n, B: tl.constexpr):
    tl.store(x + n, B)


def run(x):
    norm[(1,)](x, x.shape[0], B=1024)
""",
)

BAD = (
    """\
# why: a compile for each length
_norm_repr = make_kernel_repr("norm", ["N"])


@triton.jit(repr=_norm_repr)
def norm(x, N: tl.constexpr):
    tl.store(x, N)


def run(x):
    norm[(1,)](x, N=x.shape[0])  # expect: unbounded-key-value
""",
)
