"""Reports keys that get a float which is no integer.

## What it does
Follows what each launch, Config and heuristic gives to a key, back to where it comes from, and
speaks where that is certainly a float other than a whole number: a literal, a true division, a
`finfo` bound, a call that returns floats. Infinity and NaN make valid names.

## Why is this bad
`0.1` renders with a point and `1e-06` with a dash. Triton cuts a name up to its last point and
compiles only letters, digits and `_`: the first cold compile fails with an "invalid function
identifier" that shows only the rest of the name. A filled cache hides it until it is cold again.

## Example
The name ends in `EPS_0.1`; Triton sees the identifier `1` and refuses:

## Use instead
The float is passed, and is no key:

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
from aiter_lint.rules.key_values import Fed, is_fractional, named, report
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Project
    from aiter_lint.link.values import Value
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT301",
    name="float-key-value",
    severity=Severity.ERROR,
    summary="a key gets a float that is no integer: the compile fails",
    fix="sometimes",
    options=("repr-builders", "config-loaders"),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    yield from report(META, project, is_fractional, _message)


def _message(fed: Fed, value: Value) -> str:
    key = fed.key.name
    if value.exact:
        outcome = f"the name would read `{key}_{value.constant}`, and the compile fails"
    else:
        outcome = f"for most values the name has a point in it (`{key}_0.5`), and the compile fails"
    return (
        f"key `{key}` of kernel `{fed.kernel.name}` gets the float {named(fed, value)}: {outcome}; "
        f"take `{key}` out of the keys, or pass an integer"
    )


GOOD = (
    """\
# why: a float that is no key
_scale_repr = make_kernel_repr("scale", ["B"])


@triton.jit(repr=_scale_repr)
def scale(x, B: tl.constexpr, EPS: tl.constexpr):
    tl.store(x, B * EPS)


def run(x):
    scale[(1,)](x, B=8, EPS=0.1)
""",
)

BAD = (
    """\
# why: literals, and an expression of them
_scale_repr = make_kernel_repr("scale", ["B", "EPS"])


@triton.jit(repr=_scale_repr)
def scale(x, B: tl.constexpr, EPS: tl.constexpr):
    tl.store(x, B * EPS)


def run(x):
    scale[(1,)](x, B=8, EPS=0.1)  # expect: float-key-value
    eps = 1e-6
    scale[(1,)](x, B=8, EPS=eps)  # expect: float-key-value
    scale[(1,)](x, B=8, EPS=1 / 512)  # expect: float-key-value
""",
)
