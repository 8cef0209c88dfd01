"""Reports keys that get a negative number.

## What it does
Follows what each launch, Config and heuristic gives to a key, back to where it comes from, and
speaks where that is certainly a negative number or the negation of something, whole or not.
`max(0, -n)`, `abs(-n)` and `a - b` are not known to be negative.

## Why is this bad
The minus gets into the name, and Triton compiles only letters, digits and `_`: the first cold
compile fails with "invalid function identifier". A sentinel such as -1 is the usual cause.

## Example
The name ends in `WINDOW_-1`, which the compiler refuses:

## Use instead
None renders as NONE, and says what is meant:

## Fix safety
The fix takes the key out of the list. It is unsafe: the trace no longer shows the parameter, which
other launches may give good values. It is not offered where other kernels read the same list.

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
from aiter_lint.rules.key_values import Fed, is_negative, named, report
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Project
    from aiter_lint.link.values import Value
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT302",
    name="negative-key-value",
    severity=Severity.ERROR,
    summary="a key gets a negative number: the compile fails",
    fix="sometimes",
    options=("repr-builders", "config-loaders"),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    yield from report(META, project, is_negative, _message)


def _message(fed: Fed, value: Value) -> str:
    key = fed.key.name
    shown = str(value.constant) if value.exact else "-..."
    return (
        f"key `{key}` of kernel `{fed.kernel.name}` gets the negative {named(fed, value)}: the "
        f"name would read `{key}_{shown}`, and the compile fails; take `{key}` out of the keys, or "
        "pass a value without a sign (None for a sentinel)"
    )


GOOD = (
    """\
# why: a sentinel that has a name
_attn_repr = make_kernel_repr("attn", ["B", "WINDOW"])


@triton.jit(repr=_attn_repr)
def attn(x, B: tl.constexpr, WINDOW: tl.constexpr = None):
    tl.store(x, B)


def run(x):
    attn[(1,)](x, B=64, WINDOW=None)
""",
)

BAD = (
    """\
# why: a sentinel on its way into the name
_attn_repr = make_kernel_repr("attn", ["B", "WINDOW"])


@triton.jit(repr=_attn_repr)
def attn(x, B: tl.constexpr, WINDOW: tl.constexpr):
    tl.store(x, B * WINDOW)


def run(x):
    attn[(1,)](x, B=64, WINDOW=-1)  # expect: negative-key-value
""",
)
