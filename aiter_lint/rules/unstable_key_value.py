"""Reports keys that get a function.

## What it does
Follows what each launch, Config and heuristic gives to a key, and speaks where that is a lambda, a
plain function, a `partial` or a `constexpr_function`; with a softer word, where it is a jit
function.

## Why is this bad
A function object renders with its memory address: the name differs from run to run, and no two
traces can be compared. A jit function renders as its module and name: stable, but long, and
different as soon as the file moves.

## Example
The trace shows `JITFUNCTION_ACTIVATIONS_SILU` for a jit function, an address for a lambda:

## Use instead
The function is no key; a string or a flag beside it may be:

## Fix safety
The fix takes the key out of the list. It is unsafe: the trace no longer shows the parameter, which
other launches may give good values. It is not offered where other kernels read the same list.

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
    code="AIT303",
    name="unstable-key-value",
    severity=Severity.ERROR,
    summary="a key gets a function: an address in the name; a jit function is a warning",
    fix="sometimes",
    options=("repr-builders",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    yield from report(META, project, _is_function, _message, severity=_severity)


def _is_function(value: Value) -> bool:
    return value.kind in (Kind.CALLABLE, Kind.JIT)


def _severity(value: Value) -> Severity:
    return Severity.WARNING if value.kind is Kind.JIT else META.severity


def _message(fed: Fed, value: Value) -> str:
    key = fed.key.name
    if value.kind is Kind.JIT:
        what, outcome = "jit function", "a trace shows its module and name, long and easily changed"
    else:
        what, outcome = "function", "a trace shows its memory address, another one in each run"
    return (
        f"key `{key}` of kernel `{fed.kernel.name}` gets the {what} "
        f"{named(fed, value)}: {outcome}; take `{key}` out of the keys"
    )


GOOD = (
    """\
# why: the function is no key, its name is
_act_repr = make_kernel_repr("act", ["B", "NAME"])


@triton.jit
def silu(v):
    return v / (1 + tl.exp(-v))


@triton.jit(repr=_act_repr)
def act(x, B: tl.constexpr, FN: tl.constexpr, NAME: tl.constexpr):
    tl.store(x, FN(tl.load(x)) * B)


def run(x):
    act[(1,)](x, B=8, FN=silu, NAME="silu")
""",
)

BAD = (
    """\
# why: function objects on their way into the name
_act_repr = make_kernel_repr("act", ["B", "FN"])


@triton.jit
def silu(v):
    return v / (1 + tl.exp(-v))


@triton.jit(repr=_act_repr)
def act(x, B: tl.constexpr, FN: tl.constexpr):
    tl.store(x, B)


def run(x):
    act[(1,)](x, B=8, FN=silu)  # expect: unstable-key-value
    act[(1,)](x, B=8, FN=lambda v: v)  # expect: unstable-key-value
""",
)
