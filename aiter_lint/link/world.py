"""The project's files as scopes: modules, functions and classes with their environments.

Flows run once, when somebody first asks; bodies that the read stage left out are fetched then."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from aiter_lint.link.flow import Binding, Env, Flow, Given, Imported
from aiter_lint.link.modules import Modules
from aiter_lint.read import syntax as s
from aiter_lint.read.facts import FileFacts, Function
from aiter_lint.settings import Settings


class Sources(Protocol):
    """What the link stage needs of the files: their facts, and their bytes where it must look
    again."""

    @property
    def facts(self) -> Mapping[str, FileFacts]:
        """Facts of every file, by path relative to the root."""

    def data(self, path: str) -> bytes:
        """The bytes of a file inside the project; OSError where it can't be read."""

    def bodies(
        self, path: str, indices: Sequence[int], data_of: Callable[[str], bytes]
    ) -> dict[int, tuple[s.Stmt, ...]]:
        """The bodies of functions that the facts of a file lack."""

    def json_paths(self) -> tuple[str, ...]:
        """Paths of the JSON files inside the project."""


class Run:
    """One function's flow: what it saw, what it returns, where it defines others."""

    __slots__ = ("end", "flow", "seen", "start")

    def __init__(self, flow: Flow, start: Env, seen: list[tuple[s.Expr, Env]]) -> None:
        self.flow = flow
        self.start = start
        self.seen = seen
        self.end: Env | None = None


class World:
    """All scopes of the project."""

    def __init__(self, sources: Sources, settings: Settings) -> None:
        self.sources = sources
        self.settings = settings
        self.facts = sources.facts
        self.modules = Modules(self.facts, settings.source_roots)
        self._bodies: dict[tuple[str, int], tuple[s.Stmt, ...]] = {}
        self._module_runs: dict[str, Run] = {}
        self._function_runs: dict[tuple[str, int], Run | None] = {}
        self._class_envs: dict[tuple[str, int], tuple[Env, Flow]] = {}
        self._data: dict[str, bytes] = {}

    def function(self, path: str, index: int) -> Function:
        """The fact of a function."""
        return self.facts[path].functions[index]

    def bytes_of(self, path: str) -> bytes:
        """A file's bytes; empty where it is gone."""
        data = self._data.get(path)
        if data is None:
            try:
                data = self.sources.data(path)
            except OSError:
                data = b""
            if len(self._data) > 64:
                self._data.clear()
            self._data[path] = data
        return data

    def body(self, path: str, index: int) -> tuple[s.Stmt, ...]:
        """A function's statements."""
        function = self.facts[path].functions[index]
        if function.body is not None:
            return function.body
        key = (path, index)
        if key not in self._bodies:
            self.prepare(path, [index])
        return self._bodies[key]

    def prepare(self, path: str, indices: list[int]) -> None:
        """Fetch the bodies of several functions of one file at once."""
        functions = self.facts[path].functions
        missing = [
            i for i in indices if functions[i].body is None and (path, i) not in self._bodies
        ]
        if not missing:
            return
        try:
            found = self.sources.bodies(path, missing, self.bytes_of)
        except ValueError:
            found = {}
        for index in missing:
            self._bodies[path, index] = found.get(index, ())

    # --- environments ---

    def module(self, path: str) -> Run:
        """A module's flow."""
        run = self._module_runs.get(path)
        if run is None:
            facts = self.facts[path]
            seen: list[tuple[s.Expr, Env]] = []
            flow = Flow(facts, path, lambda expr, env: seen.append((expr, env)))
            env = Env(path)
            run = Run(flow, env, seen)
            run.end = env
            self._module_runs[path] = run
            run.end = flow.run(facts.body, env) or env
        return run

    def module_env(self, path: str) -> Env:
        """The names of a module after it was imported."""
        end = self.module(path).end
        assert end is not None
        return end

    def closure(self, path: str, index: int) -> Env:
        """The environment around a function: its module, or the function that defines it."""
        function = self.facts[path].functions[index]
        return self._around(path, function.parent, index)

    def _around(self, path: str, parent: int, index: int) -> Env:
        if parent < 0:
            return self.module_env(path)
        run = self.run(path, parent)
        if run is None:
            return self.module_env(path)
        return run.flow.definitions.get(index) or run.end or run.start

    def class_scope(self, path: str, index: int) -> tuple[Env, Flow]:
        """The names in a class's body."""
        key = (path, index)
        found = self._class_envs.get(key)
        if found is None:
            fact = self.facts[path].classes[index]
            outer = self.module_env(path)
            if fact.parent >= 0:
                run = self.run(path, fact.parent)
                if run is not None:
                    outer = run.end or run.start
            flow = Flow(self.facts[path], path)
            env = Env(path, outer)
            self._class_envs[key] = (env, flow)
            found = (flow.run(fact.body, env) or env, flow)
            self._class_envs[key] = found
        return found

    def run(self, path: str, index: int) -> Run | None:
        """A function's flow for any caller; None while it is being made."""
        key = (path, index)
        if key in self._function_runs:
            return self._function_runs[key]
        self._function_runs[key] = None
        run = self.flow_of(path, index, self.closure(path, index), None)
        self._function_runs[key] = run
        return run

    def flow_of(
        self,
        path: str,
        index: int,
        outer: Env,
        given: Mapping[str, Binding] | None,
        *,
        watched: bool = False,
    ) -> Run:
        """A function's flow with its parameters bound as `given`, or open to any caller. What is
        evaluated on the way is in `seen` where it is `watched`, or open."""
        facts = self.facts[path]
        function = facts.functions[index]
        seen: list[tuple[s.Expr, Env]] = []
        watched = watched or given is None
        watch = (lambda expr, env: seen.append((expr, env))) if watched else None
        flow = Flow(facts, path, watch)
        env = Env(path, outer)
        for position, param in enumerate(function.params):
            binding = None if given is None else given.get(param.name)
            env.names[param.name] = binding or Given(path, index, position, outer)
        if function.owner >= 0 and function.params:
            flow.receiver = function.params[0].name
        run = Run(flow, env, seen)
        run.end = flow.run(self.body(path, index), env.fork())
        return run

    # --- imports ---

    def import_target(self, alias: s.Alias, importer: str) -> tuple[str | None, str]:
        """Where an import leads: the path of a module of the project (None outside it), and its
        dotted name."""
        if alias.level:
            path = self.modules.relative(importer, alias.level, alias.module)
            return path, alias.module
        module = alias.module
        if alias.name is None and "." in module and alias.local == module.split(".", 1)[0]:
            module = alias.local  # `import a.b` binds `a`
        return self.modules.find(module, importer), module

    def star_import(self, star: Imported, name: str) -> tuple[str, Env] | None:
        """The module and environment in which `from m import *` finds a public name."""
        path, _ = self.import_target(star.alias, star.path)
        if path is None or not path.endswith(".py"):
            return None
        exports = self.facts[path].exports if path in self.facts else None
        if (exports is not None and name not in exports) or (exports is None and name[0] == "_"):
            return None
        return path, self.module_env(path)
