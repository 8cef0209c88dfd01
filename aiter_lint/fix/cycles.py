"""Would an import make a cycle? What happens when a module is imported, by the project's facts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from aiter_lint.fix.outline import module_blocks
from aiter_lint.fix.workspace import Workspace
from aiter_lint.read import syntax as s


def chain_to(work: Workspace, start: str, goal: str) -> list[str]:
    """The modules by which importing `start` imports `goal`, by their dotted names; empty where it
    does not. Packages around `goal` run already when `goal` does, and don't count."""
    running = set(_packages(work, goal))
    came_from: dict[str, str] = {}
    queue = deque()
    for path in [*_packages(work, start), start]:
        if path not in running:
            came_from[path] = start if path != start else ""
            queue.append(path)
    while queue:
        path = queue.popleft()
        for following in _imports(work, path):
            if following == goal:
                chain = [goal, path]
                while came_from[chain[-1]]:
                    chain.append(came_from[chain[-1]])
                return [work.modules.name(p) for p in [goal, *reversed(chain)]]
            if following not in came_from and following not in running:
                came_from[following] = path
                queue.append(following)
    return []


def _imports(work: Workspace, path: str) -> Iterator[str]:
    """The files that run, or have run, when the imports of a module are done."""
    facts = work.project.files.get(path)
    if facts is None:
        return
    modules = work.modules
    for _, _, body in module_blocks(facts):
        for statement in body:
            if type(statement) is not s.Import:
                continue
            for alias in statement.aliases:
                if alias.level:
                    source = modules.relative(path, alias.level, alias.module)
                else:
                    source = modules.find(alias.module, path)
                if source is None:
                    continue
                found = [source]
                if alias.name not in (None, "*"):
                    child = modules.child(source, alias.name)
                    if child is not None:
                        found.append(child)
                for target in found:
                    yield from _packages(work, target)
                    if target.endswith(".py"):
                        yield target


def _packages(work: Workspace, path: str) -> Iterator[str]:
    """The `__init__.py` of the packages around a file, outermost first."""
    parts = path.split("/")[:-1]
    for size in range(1, len(parts) + 1):
        init = "/".join([*parts[:size], "__init__.py"])
        if init in work.project.files and init != path:
            yield init
