"""Reports launches outside the public wrappers. Off by default.

## What it does
Checks that every launch stands in one of the `wrapper-packages`, and never in one of the
`kernel-packages`. Without `wrapper-packages` every module outside the kernel packages may launch.

## Why is this bad
The wrapper checks arguments, allocates outputs and picks the configuration. A launch that goes
around it repeats all that, or forgets it, and has to be found when the kernel's signature changes.

## Example
A launch in the module that holds the device code:

## Use instead
The wrapper launches, and nobody else does:

## Fix safety
There is no fix: moving code is yours to do.

## Options
- `wrapper-packages`
- `kernel-packages`

## References
- [The layout of ROCm/aiter](https://github.com/ROCm/aiter/tree/main/aiter/ops/triton)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Severity
from aiter_lint.rules.kernel_outside_kernel_package import KERNEL_PACKAGES
from aiter_lint.rules.keys import defined
from aiter_lint.rules.layout import Packages
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT412",
    name="launch-outside-wrapper",
    severity=Severity.ERROR,
    summary="launch that stands in no public wrapper",
    default=False,
    options=("wrapper-packages", "kernel-packages"),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    kernels = Packages(settings.kernel_packages or KERNEL_PACKAGES, project.modules)
    wrappers = Packages(settings.wrapper_packages, project.modules)
    for launch in project.launches:
        path = launch.place.path
        if not launch.bindings:
            continue
        if kernels.hold(path):
            where = "in a kernel package, which holds device code only"
        elif settings.wrapper_packages and not wrappers.hold(path):
            where = f"outside the wrappers ({', '.join(settings.wrapper_packages)})"
        else:
            continue
        kernel = launch.bindings[0].kernel
        yield META.finding(
            launch.place,
            f"kernel `{kernel.name}` is launched {where}; call its public wrapper",
            kernel=kernel,
            related=defined(kernel),
        )


GOOD = (
    """\
# why: only the wrapper launches
# --- pkg/_triton_kernels/scale.py
import triton
import triton.language as tl
from names import make_kernel_repr


@triton.jit(repr=make_kernel_repr("scale", ["B"]))
def scale(x, B: tl.constexpr):
    tl.store(x, B)
# --- pkg/scale.py
from pkg._triton_kernels.scale import scale as scale_kernel


def scale(x):
    scale_kernel[(1,)](x, B=8)
# --- model.py
from pkg.scale import scale


def forward(x):
    scale(x)
""",
)

BAD = (
    """\
# why: a launch beside the device code
# --- pkg/_triton_kernels/scale.py
import triton
import triton.language as tl
from names import make_kernel_repr


@triton.jit(repr=make_kernel_repr("scale", ["B"]))
def scale(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    scale[(1,)](x, B=8)  # expect: launch-outside-wrapper
""",
)
