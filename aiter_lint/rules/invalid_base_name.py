"""Reports base names that are no identifier, and reprs that are text.

## What it does
Checks that the base name of a repr consists of ASCII letters, digits and `_`, and does not begin
with a digit; the same for what a launch gives to the `name_key`, which replaces the base name; and
that `repr=` is not given a string.

## Why is this bad
Triton cuts everything up to the last `.` off a name, silently, and compiles only what matches
`^[a-zA-Z_][a-zA-Z0-9_]*$`. Anything else is an "invalid function identifier" at the first cold
compile. A string can't be called: `repr="text"` is a TypeError at the first launch.

## Example
The trace shows `add_B_8`, without `pkg`; the launch of `sub` raises a TypeError:

## Use instead
An identifier, and a function that builds the name:

## Fix safety
There is no fix: the name is yours to choose.

## Options
- `repr-builders`

## References
- [triton.jit](https://triton-lang.org/main/python-api/generated/triton.jit.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Severity
from aiter_lint.rules.keys import defined
from aiter_lint.rules.repr_owner import IDENTIFIER, built
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Kernel, Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT107",
    name="invalid-base-name",
    severity=Severity.ERROR,
    summary="base name is no identifier, or repr is a string",
    options=("repr-builders",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for kernel in project.kernels:
        if kernel.repr is not None and kernel.repr.kind == "text" and kernel.role != "device":
            yield META.finding(
                kernel.repr.place,
                f"the repr of kernel `{kernel.name}` is a string, and the first launch calls it: a "
                f'TypeError; use make_kernel_repr("{kernel.name}", ...)',
                kernel=kernel,
            )
    told = set()
    for kernel, builder in built(project):
        base = builder.base
        if base is None or IDENTIFIER.fullmatch(base) or builder in told:
            continue
        told.add(builder)
        yield META.finding(
            builder.base_place or builder.place,
            f'base name "{_printable(base)}" of kernel `{kernel.name}` is no identifier: '
            f"{_outcome(base)}; use letters, digits and _",
            kernel=kernel,
            related=defined(kernel),
        )
    for kernel, builder in built(project):
        if builder.name_key is not None:
            yield from _replaced(kernel, builder.name_key)


def _replaced(kernel: Kernel, name_key: str) -> Iterator[Finding]:
    """What launches give to the `name_key`."""
    told = set()
    for binding in kernel.launches:
        for argument in binding.arguments.get(name_key, ()):
            names = [v.constant for v in argument.values if v.exact and type(v.constant) is str]
            bad = next((name for name in names if name and not IDENTIFIER.fullmatch(name)), None)
            if bad is None or argument.place in told:
                continue
            told.add(argument.place)
            yield META.finding(
                argument.place,
                f'"{_printable(bad)}", the name that `{name_key}` gives to kernel `{kernel.name}`, '
                f"is no identifier: {_outcome(bad)}; use letters, digits and _",
                kernel=kernel,
                key=name_key,
                related=defined(kernel),
            )


def _outcome(base: str) -> str:
    rest = base.rpartition(".")[2]
    if rest != base and (not rest or IDENTIFIER.fullmatch(rest)):
        return f'Triton cuts it up to the last dot, a trace shows "{rest}_..."'
    return 'the compile fails with "invalid function identifier"'


def _printable(base: str) -> str:
    shown = base if base.isprintable() else ascii(base)[1:-1]
    return shown if len(shown) <= 60 else shown[:57] + "..."


GOOD = (
    """\
# why: an identifier
@triton.jit(repr=make_kernel_repr("add", ["B"]))
def add(x, B: tl.constexpr):
    tl.store(x, B)


@triton.jit(repr=make_kernel_repr("sub", ["B"]))
def sub(x, B: tl.constexpr):
    tl.store(x, -B)


def run(x):
    add[(1,)](x, B=8)
    sub[(1,)](x, B=8)
""",
)

BAD = (
    """\
# why: a dotted name is cut, a text is no function
@triton.jit(repr=make_kernel_repr("pkg.add", ["B"]))  # expect: invalid-base-name
def add(x, B: tl.constexpr):
    tl.store(x, B)


@triton.jit(repr="fast_sub")  # expect: invalid-base-name
def sub(x, B: tl.constexpr):
    tl.store(x, -B)


def run(x):
    add[(1,)](x, B=8)
    sub[(1,)](x, B=8)
""",
)
