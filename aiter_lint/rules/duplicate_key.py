"""Reports keys that a list names twice.

## What it does
Looks for a second mention of the same key in the key list of a repr.

## Why is this bad
The name says the same thing twice, and gets longer. Often one of the two should have been another
key: after a copied line, or after a merge.

## Example
The trace shows `attn_TILE_64_HEADS_8_TILE_64`:

## Use instead
Each key stands once:

## Fix safety
The fix takes out the later mention, or the one that no other kernel reads.

## Options
- `repr-builders`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Related, RemoveKey, Severity
from aiter_lint.rules.keys import judged
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Builder, Key, Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT204",
    name="duplicate-key",
    severity=Severity.WARNING,
    summary="key listed twice",
    fix="sometimes",
    options=("repr-builders",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    told = set()
    for kernel, builder in judged(project):
        if builder in told:
            continue
        told.add(builder)
        constexprs = {parameter.name for parameter in kernel.constexprs}
        for first, again in _repeated(builder):
            if again.name not in constexprs:
                continue  # a dead key, and told as such wherever it stands
            own = again.place == again.literal and again.literal != first.literal
            yield META.finding(
                again.place,
                f"the repr of kernel `{kernel.name}` lists `{again.name}` twice: a trace shows its "
                "value twice; remove one, or name the parameter that was meant",
                kernel=kernel,
                key=again.name,
                related=(Related(first.literal, "listed here already"),),
                repair=RemoveKey(builder.place, again.literal, again.name) if own else None,
            )


def _repeated(builder: Builder) -> Iterator[tuple[Key, Key]]:
    """(the mention that stays, one that is too many), one pair for each place."""
    stays: dict[str, Key] = {}
    for key in builder.keys or ():
        known = stays.get(key.name)
        if known is None or (known.place == known.literal and key.place != key.literal):
            stays[key.name] = key  # one in a list that others read is best left alone
    seen = set()
    for key in builder.keys or ():
        kept = stays[key.name]
        if key is not kept and (key.name, key.place) not in seen:
            seen.add((key.name, key.place))
            yield kept, key


GOOD = (
    """\
# why: each key once
_attn_repr = make_kernel_repr("attn", ["TILE", "HEADS"])


@triton.jit(repr=_attn_repr)
def attn(x, TILE: tl.constexpr, HEADS: tl.constexpr):
    tl.store(x, TILE * HEADS)


def run(x):
    attn[(1,)](x, TILE=64, HEADS=8)
""",
)

BAD = (
    """\
# why: the second mention says nothing new
_attn_repr = make_kernel_repr("attn", ["TILE", "HEADS", "TILE"])  # expect: duplicate-key


@triton.jit(repr=_attn_repr)
def attn(x, TILE: tl.constexpr, HEADS: tl.constexpr):
    tl.store(x, TILE * HEADS)


def run(x):
    attn[(1,)](x, TILE=64, HEADS=8)
""",
)
