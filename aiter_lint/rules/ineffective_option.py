"""Reports launch options in a name that the compiler does not obey.

## What it does
Looks at launch options (`num_warps`, `num_stages`, ...) that a kernel declares as a constexpr
parameter and lists as a key: a launch must pass them by keyword, or a Config must set them. It
reports the default, where some launch leaves it in force, and the argument that a launch passes by
position.

## Why is this bad
A default and a positional argument only reach the kernel's body and its name. The compiler looks
for options among the keywords, finds none, and takes its own default: the trace says
`num_warps_8`, and four warps run.

## Example
The name says `num_warps_8`, the kernel runs with 4:

## Use instead
By keyword, an option is both a constant of the name and an order to the compiler:

## Fix safety
There is no fix: it would change how the kernel is compiled.

## Options
- `repr-builders`
- `launch-options`

## References
- [triton.Config](https://triton-lang.org/main/python-api/generated/triton.Config.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Related, Severity
from aiter_lint.rules.keys import judged
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Binding, Kernel, Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT207",
    name="ineffective-option",
    severity=Severity.ERROR,
    summary="a declared launch option by default or by position: the name lies",
    options=("repr-builders", "launch-options"),
)

_CONFIG_DEFAULTS = frozenset({"num_warps", "num_stages", "num_ctas"})  # every Config sets them


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for kernel, builder in judged(project):
        names = dict.fromkeys(key.name for key in builder.keys or ())
        for name in names:
            parameter = kernel.param(name)
            if name in project.launch_options and parameter is not None and parameter.constexpr:
                yield from _ineffective(kernel, name)


def _ineffective(kernel: Kernel, name: str) -> Iterator[Finding]:
    told = set()
    for binding in kernel.launches:
        if binding.launch.form == "source":
            continue  # options reach the compiler by another way there
        for argument in binding.arguments.get(name, ()):
            if argument.how == "default" and not _tuned(binding, name):
                fault, advice = "is left to its default", "pass it by keyword"
            elif argument.how in ("position", "star"):
                fault, advice = "is passed by position", f"write {name}=..."
            else:
                continue
            if argument.place in told:
                continue
            told.add(argument.place)
            related = ()
            if argument.how == "default":
                related = (Related(binding.launch.place, f"launched without {name}= here"),)
            yield META.finding(
                argument.place,
                f"launch option `{name}` of kernel `{kernel.name}` {fault}: a trace shows it, the "
                f"compiler ignores it; {advice}",
                kernel=kernel,
                key=name,
                related=related,
            )


def _tuned(binding: Binding, name: str) -> bool:
    tuning = binding.tuning
    return tuning.opaque or (tuning.autotuned and name in _CONFIG_DEFAULTS)


GOOD = (
    """\
# why: declared and passed by keyword, it is in the name and in force
_scale_repr = make_kernel_repr("scale", ["B", "num_warps"])


@triton.jit(repr=_scale_repr)
def scale(x, B: tl.constexpr, num_warps: tl.constexpr = 8):
    tl.store(x, B)


def run(x):
    scale[(1,)](x, B=64, num_warps=8)
""",
)

BAD = (
    """\
# why: the default is in force
_scale_repr = make_kernel_repr("scale", ["B", "num_warps"])


@triton.jit(repr=_scale_repr)
def scale(x, B: tl.constexpr, num_warps: tl.constexpr = 8):  # expect: ineffective-option
    tl.store(x, B)


def run(x):
    scale[(1,)](x, B=64)
""",
)
