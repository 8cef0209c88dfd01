"""Names that are free in a file: for a stub, and for the builder it calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from aiter_lint.fix.outline import module_blocks
from aiter_lint.read import syntax as s
from aiter_lint.read.facts import FileFacts


def stub_names(kernel: str) -> Iterator[str]:
    """What the repr of a kernel may be called, the best name first."""
    core = kernel.lstrip("_") or "_"
    yield f"_{core}_repr"
    yield f"_{core}_kernel_repr"
    number = 2
    while True:
        yield f"_{core}_repr_{number}"
        number += 1


def first_free(names: Iterator[str], text: str, taken: Callable[[str], bool]) -> str:
    """The first name that occurs nowhere in a file, nor is taken."""
    return next(name for name in names if not taken(name) and not re.search(rf"\b{name}\b", text))


def bound_names(facts: FileFacts, besides: Callable[[s.Alias], bool]) -> set[str]:
    """Names that a file may bind anywhere, except by imports that are `besides` the point."""
    names = {alias.local for alias in facts.imports if not besides(alias)}
    names |= {cls.name for cls in facts.classes}
    for function in facts.functions:
        names.add(function.name)
        names |= {param.name for param in function.params}
        for statement in function.body or ():
            names |= _assigned(statement)
    for _, _, body in module_blocks(facts):
        for statement in body:
            names |= _assigned(statement)
    return names


def _assigned(statement: s.Stmt) -> set[str]:
    targets = ()
    if type(statement) is s.Assign:
        targets = statement.targets
    elif type(statement) is s.For:
        targets = (statement.target,)
    names = set()
    for target in targets:
        parts = target.items if type(target) is s.Seq else (target,)
        names |= {part.id for part in parts if type(part) is s.Name}
    return names
