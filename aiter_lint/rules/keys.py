"""The keys that rules judge, and how one is taken out of its list."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Related, RemoveKey
from aiter_lint.rules.repr_owner import borrowed, built

if TYPE_CHECKING:
    from aiter_lint.link.project import Builder, Kernel, Key, Project
    from aiter_lint.span import Place


def judged(project: Project) -> Iterator[tuple[Kernel, Builder]]:
    """The kernels whose names are built from keys, as far as these are known. A kernel under
    another one's repr is left out: that is one fault, and its keys are not the cause."""
    others = borrowed(project)
    for kernel, builder in built(project):
        if builder.keys is not None and kernel not in others:
            yield kernel, builder


def dead_keys(
    project: Project, dead: Callable[[Kernel, str], bool]
) -> Iterator[tuple[Kernel, Builder, Key]]:
    """(kernel, builder, key) of the keys that are `dead` for the kernel - and for each
    alternative definition of it that takes the same repr."""
    for kernel, builder in judged(project):
        twins = [k for k in kernel.alternatives if k.repr and k.repr.builder is builder]
        told = set()
        for key in builder.keys or ():
            place = (key.name, key.place)
            if place not in told and all(dead(k, key.name) for k in (kernel, *twins)):
                told.add(place)
                yield kernel, builder, key


def removal(
    project: Project,
    kernel: Kernel,
    builder: Builder,
    key: Key,
    *,
    dead: Callable[[Kernel, str], bool] | None = None,
) -> RemoveKey | None:
    """The repair that takes a key out of its list; None where another kernel needs the very same
    string. With `dead` the name loses nothing for the kernels of which that is true; without,
    the name loses something, and the repair is unsafe."""
    for other in _readers(project).get(key.literal, ()):
        for user in other.used_by:
            mine = user is kernel or user in kernel.alternatives
            if user.role != "device" and not (dead(user, key.name) if dead else mine):
                return None
    return RemoveKey(builder=builder.place, literal=key.literal, key=key.name, unsafe=dead is None)


@functools.lru_cache(maxsize=1)
def _readers(project: Project) -> dict[Place, list[Builder]]:
    """The builders that read each string of a key list."""
    found: dict[Place, list[Builder]] = {}
    for builder in project.builders:
        for key in builder.keys or ():
            found.setdefault(key.literal, []).append(builder)
    return found


def defined(kernel: Kernel) -> tuple[Related, ...]:
    """Where the kernel of a finding stands, for a finding that is somewhere else."""
    return (Related(kernel.place, f"kernel `{kernel.name}` is defined here"),)
