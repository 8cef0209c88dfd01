"""Reports constexpr parameters that differ between launches and are not in the name.

## What it does
Compares what the launches and the tuning configs of a kernel give to each constexpr parameter that
is no key. It speaks where two values are certain and differ, and only of parameters that a stub
would list: sizes, block shapes, counts, flags, dtypes.

## Why is this bad
Two specialisations of different meaning share one name, and a trace adds them up.

## Example
The causal and the full kernel both are `attn_B_64`:

## Use instead
`attn_B_64_CAUSAL_1` and `attn_B_64_CAUSAL_0`:

## Fix safety
The fix adds the key at its place in signature order. It is not offered where other kernels read
the same list.

## Options
- `repr-builders`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import AddKey, Finding, Related, Severity
from aiter_lint.link.values import Kind, Value
from aiter_lint.rules.keys import judged
from aiter_lint.rules.rule import Meta, kernel_id

if TYPE_CHECKING:
    from aiter_lint.link.project import Argument, Builder, Kernel, Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT205",
    name="unlisted-constexpr",
    severity=Severity.ADVICE,
    summary="a constexpr that differs between launches or tuning configs is not in the name",
    fix="sometimes",
    options=("repr-builders",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    from aiter_lint.link.suggest import suggest  # brings the syntax with it

    for kernel, builder in judged(project):
        listed = {key.name for key in builder.keys or ()} | {builder.name_key}
        missing = [p.name for p in kernel.constexprs if p.name not in listed]
        if not missing or not builder.complete or not kernel.launched:
            continue
        wanted = suggest(kernel, project).keys
        for name in missing:
            pair = _differing(kernel, name) if name in wanted else None
            if pair is None:
                continue
            (one, first), (other, second) = pair
            yield META.finding(
                builder.place,
                f"kernel `{kernel.name}` runs with `{name}` {first} and {second}, and the name "
                f"says neither: a trace adds them up; add `{name}` to the keys",
                kernel=kernel,
                key=name,
                related=(
                    Related(one.place, f"`{name}` is {first} here"),
                    Related(other.place, f"`{name}` is {second} here"),
                ),
                repair=AddKey(kernel_id(kernel), builder.place, name) if _own(builder) else None,
            )


def _differing(kernel: Kernel, name: str) -> tuple | None:
    """Two arguments that certainly give the parameter different values, each with its value's
    text. What renders alike (True and 1) is compared by Triton as equal, and is so here."""
    known: list[tuple[Argument, Value]] = []
    for binding in kernel.launches:
        for argument in binding.arguments.get(name, ()):
            for value in argument.values:
                if not (value.exact or value.kind is Kind.NONE):
                    continue
                if known and value.constant != known[0][1].constant:
                    (first, one), second = known[0], argument
                    return (first, _shown(one)), (second, _shown(value))
                known.append((argument, value))
    return None


def _shown(value: Value) -> str:
    return repr(value.constant)


def _own(builder: Builder) -> bool:
    """Whether a key can be added without a word to other kernels."""
    return len(builder.used_by) == 1 and all(k.place == k.literal for k in builder.keys or ())


GOOD = (
    """\
# why: the parameter that differs is a key
_attn_repr = make_kernel_repr("attn", ["B", "CAUSAL"])


@triton.jit(repr=_attn_repr)
def attn(x, B: tl.constexpr, CAUSAL: tl.constexpr):
    tl.store(x, B if CAUSAL else 0)


def run(x):
    attn[(1,)](x, B=64, CAUSAL=True)
    attn[(1,)](x, B=64, CAUSAL=False)
""",
)

BAD = (
    """\
# why: two programs, one name
_attn_repr = make_kernel_repr("attn", ["B"])  # expect: unlisted-constexpr


@triton.jit(repr=_attn_repr)
def attn(x, B: tl.constexpr, CAUSAL: tl.constexpr):
    tl.store(x, B if CAUSAL else 0)


def run(x):
    attn[(1,)](x, B=64, CAUSAL=True)
    attn[(1,)](x, B=64, CAUSAL=False)
""",
)
