"""Reports launched kernels that are defined outside the kernel packages. Off by default.

## What it does
Checks that every kernel that some launch reaches is defined in one of the `kernel-packages`:
modules that hold device code and nothing else. Without the setting these are the folders named
`_triton_kernels` and `_gluon_kernels`.

## Why is this bad
Where device code lives beside host code, it can't be imported, compiled, swapped for another
architecture or reviewed without it. A reader who knows the wrapper's path should know the kernel's.

## Example
A launchable body in the wrapper's own module:

## Use instead
The body under `_triton_kernels/`, at the wrapper's path, and a wrapper that launches it:

## Fix safety
There is no fix: moving code is yours to do.

## Options
- `kernel-packages`

## References
- [The layout of ROCm/aiter](https://github.com/ROCm/aiter/tree/main/aiter/ops/triton)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Related, Severity
from aiter_lint.rules.layout import Packages
from aiter_lint.rules.rule import Meta

if TYPE_CHECKING:
    from aiter_lint.link.project import Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT411",
    name="kernel-outside-kernel-package",
    severity=Severity.ERROR,
    summary="launched kernel that is defined outside the kernel packages",
    default=False,
    options=("kernel-packages",),
)

KERNEL_PACKAGES = ("_triton_kernels", "_gluon_kernels")


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    names = settings.kernel_packages or KERNEL_PACKAGES
    packages = Packages(names, project.modules)
    for kernel in project.kernels:
        if kernel.launched and not packages.hold(kernel.path):
            yield META.finding(
                kernel.jit,
                f"launched kernel `{kernel.name}` is defined in {kernel.path}, outside the kernel "
                f"packages ({', '.join(names)}); move its body there, at its wrapper's path",
                kernel=kernel,
                related=(Related(kernel.launches[0].launch.place, "launched here"),),
            )


GOOD = (
    """\
# why: the body in a kernel package, the launch in its wrapper
# --- pkg/_triton_kernels/quant/scale.py
import triton
import triton.language as tl
from names import make_kernel_repr


@triton.jit(repr=make_kernel_repr("scale", ["B"]))
def scale(x, B: tl.constexpr):
    tl.store(x, B)
# --- pkg/quant/scale.py
from pkg._triton_kernels.quant.scale import scale as scale_kernel


def scale(x):
    scale_kernel[(1,)](x, B=8)
""",
)

BAD = (
    """\
# why: device code beside its wrapper
# --- pkg/quant/scale.py
import triton
import triton.language as tl
from names import make_kernel_repr


@triton.jit(repr=make_kernel_repr("scale_kernel", ["B"]))  # expect: kernel-outside-kernel-package
def scale_kernel(x, B: tl.constexpr):
    tl.store(x, B)


def scale(x):
    scale_kernel[(1,)](x, B=8)
""",
)
