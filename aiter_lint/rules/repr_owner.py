"""Which repr belongs to which kernel: the ground that the rules on reprs and keys share."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aiter_lint.link.project import Builder, Kernel, Project

IDENTIFIER = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*")  # what Triton accepts; `isidentifier` is wider


@dataclass(frozen=True, slots=True)
class Borrowed:
    """A kernel's decorator takes the repr of another one, `owner`. `spare` is the kernel's own
    repr, built but attached to nothing."""

    owner: Kernel
    spare: Builder | None


@functools.lru_cache(maxsize=1)
def borrowed(project: Project) -> dict[Kernel, Borrowed]:
    """The kernels under another kernel's repr."""
    by_name: dict[tuple[str, str], Kernel] = {}
    for kernel in project.kernels:
        if kernel.role != "device":  # no trace ever names a helper
            by_name.setdefault((kernel.path, kernel.name), kernel)
    found = {}
    for kernel, builder in built(project):
        base = builder.base
        if base is None or base == kernel.name:
            continue
        owner = by_name.get((kernel.path, base)) or by_name.get((builder.place.path, base))
        if owner is None:
            owner = next((k for k in builder.used_by if k.name == base), None)
        if owner is None and not fits(base, kernel):
            owner = next((k for k in builder.used_by if fits(base, k)), None)
        if owner is not None:
            found[kernel] = Borrowed(owner, spare(project, kernel))
    return found


def built(project: Project) -> Iterator[tuple[Kernel, Builder]]:
    """The kernels that a trace can name by a builder's repr: all but the helpers."""
    for kernel in project.kernels:
        if kernel.repr is not None and kernel.repr.builder is not None and kernel.role != "device":
            yield kernel, kernel.repr.builder


def spare(project: Project, kernel: Kernel) -> Builder | None:
    """The repr that is built for this kernel in its module, but attached to nothing."""
    return None if kernel.nested else _spares(project).get((kernel.path, kernel.name))


@functools.lru_cache(maxsize=1)
def _spares(project: Project) -> dict[tuple[str, str], Builder]:
    """The unused reprs that a variable holds, by file and base name."""
    found: dict[tuple[str, str], Builder] = {}
    for builder in project.builders:
        if builder.base is not None and builder.variable is not None and unused(builder):
            found.setdefault((builder.place.path, builder.base), builder)
    return found


def unused(builder: Builder) -> bool:
    """Whether nothing at all takes the repr."""
    return not builder.used_by and not builder.other_uses


def fits(base: str, kernel: Kernel) -> bool:
    """Whether the base name is the kernel's name, or that plus a tag: `gemm_gfx950`, `fast_gemm`,
    `gemm_gfx950_kernel` for `gemm_kernel`, `gemm2`."""
    name = kernel.name
    if base == name or re.fullmatch(re.escape(name) + r"[0-9]+", base):
        return True
    words, given = name.lstrip("_").split("_"), base.lstrip("_").split("_")
    if len(given) <= len(words):
        return False
    same = 0  # words that agree from the front; the others must agree from the back
    while same < len(words) and words[same] == given[same]:
        same += 1
    rest = words[same:]
    return not rest or given[-len(rest) :] == rest
