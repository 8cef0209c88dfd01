"""Reports launches that don't fit their kernel's signature.

## What it does
Binds the arguments of each launch to the parameters of its kernel as Python would, together with
what autotune and heuristics supply: no required argument may be missing, none given twice, none
too many, and no keyword may be a near-miss of a parameter's name. Launch options of any backend
and mappings of which nothing is known are fine. A launch that may reach several kernels is wrong
only where it fits none of them.

## Why is this bad
The launch raises a TypeError or a KeyError - on the path that runs it, which may be the rare one.

## Example
The keyword is misspelt, and `window` stays without a value:

## Use instead
The parameter's name:

## Fix safety
There is no fix: which argument is meant is yours to know.

## Options
- `launch-options`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Severity
from aiter_lint.rules.keys import defined
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Binding, Mistake, Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT406",
    name="launch-signature",
    severity=Severity.ERROR,
    summary="launch misses an argument, passes one twice, too many, or under a misspelt name",
    options=("launch-options",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for launch in project.launches:
        bindings = launch.bindings
        if not bindings or any(b.kernel.opaque_decorator or not b.mistakes for b in bindings):
            continue
        binding = min(bindings, key=lambda b: len(b.mistakes))
        others = {b.kernel.name for b in bindings} - {binding.kernel.name}
        tail = (
            f" (nor do {', '.join(f'`{name}`' for name in sorted(others))} fit)" if others else ""
        )
        missing = [m for m in binding.mistakes if m.kind == "missing"]
        told = set()
        for mistake in binding.mistakes:
            kind = (mistake.kind, mistake.place, None if mistake in missing else mistake.param)
            if kind in told:
                continue
            told.add(kind)
            alone = len(missing) == 1 or mistake.kind != "missing"
            yield META.finding(
                mistake.place,
                _message(binding, mistake, missing) + tail,
                kernel=binding.kernel,
                key=mistake.param if alone else None,
                related=defined(binding.kernel),
            )


def _message(binding: Binding, mistake: Mistake, missing: list[Mistake]) -> str:
    name = binding.kernel.name
    if mistake.kind == "missing":
        params = ", ".join(f"`{m.param}`" for m in missing)
        return f"this launch of kernel `{name}` passes nothing for {params}: a TypeError"
    if mistake.kind == "twice":
        return f"this launch of kernel `{name}` passes `{mistake.param}` twice: a TypeError"
    if mistake.kind == "too-many":
        count = sum(not p.keyword_only for p in binding.kernel.params)
        return (
            f"this launch passes more arguments by position than kernel `{name}` takes ({count}): "
            "a TypeError"
        )
    if mistake.kind == "near-miss":
        return (
            f"kernel `{name}` has no parameter `{mistake.param}`: a KeyError; did you mean "
            f"`{mistake.hint}`?"
        )
    who = mistake.hint or "the tuning"
    return (
        f"`{mistake.param}` of kernel `{name}` is supplied by {who} already: a TypeError; don't "
        "pass it at the launch"
    )


GOOD = (
    """\
# why: what the signature asks for, and options
@triton.jit(repr=make_kernel_repr("attn", ["B"]))
def attn(x, n, window, B: tl.constexpr, C: tl.constexpr = 1):
    tl.store(x + n * window, B * C)


def run(x, n):
    attn[(1,)](x, n, window=4, B=8, num_warps=4, waves_per_eu=2)
""",
)

BAD = (
    """\
# why: a misspelt keyword
@triton.jit(repr=make_kernel_repr("attn", ["B"]))
def attn(x, n, window, B: tl.constexpr):
    tl.store(x + n * window, B)


def run(x, n):
    attn[(1,)](x, n, windwo=4, B=8)  # expect: launch-signature
""",
)
