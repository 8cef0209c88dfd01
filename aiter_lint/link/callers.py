"""Who calls a function of the project, and with what.

Names lead to files (by the read stage's index), files to the functions whose lines hold such a
call; only those are converted and run. A call counts where its callee is that very function."""

from __future__ import annotations

import bisect
import re
from collections import defaultdict

from aiter_lint.link import arithmetic as a
from aiter_lint.link import objects as o
from aiter_lint.link.evaluate import Evaluator
from aiter_lint.link.flow import Bound, Env, Fixed, Iterated, Unpacked, children
from aiter_lint.read import syntax as s

MOST = 200  # call sites of one name that are looked at


class Callers:
    """An index of call sites, filled as questions come."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.world = evaluator.world
        self._files: dict[str, list[str]] | None = None
        self._aliases: dict[str, set[str]] | None = None
        self._sites: dict[tuple[str, int], dict[str, list[o.CallSite]]] = {}
        self._answers: dict[tuple[str, int], list[o.Caller]] = {}
        self._places: dict[tuple[str, str], list[tuple[int, str]]] = {}
        self._spans: dict[str, tuple[list[int], list[int]]] = {}
        self._open: set[tuple[str, int]] = set()

    def of(self, path: str, index: int) -> list[o.Caller]:
        """The known call sites of a function."""
        key = (path, index)
        if key in self._answers:
            return self._answers[key]
        if key in self._open:
            return []
        self._open.add(key)
        try:
            found = self._search(path, index)
        finally:
            self._open.discard(key)
        self._answers[key] = found
        return found

    def _search(self, path: str, index: int) -> list[o.Caller]:
        found: list[o.Caller] = []
        for site in self._named(self._names(path, index), path, index):
            for value in self.evaluator.expr(site.call.func, site.env):
                caller = self._reaches(site, value.data, path, index)
                if caller is not None:
                    found.append(caller)
                    break
        return found

    def _reaches(self, site: o.CallSite, data: object, path: str, index: int) -> o.Caller | None:
        args = tuple((arg, site.env) for arg in site.call.args)
        while isinstance(data, o.Partial) and len(data.function) == 1:
            args = tuple((arg, data.env) for arg in data.args) + args
            data = data.function[0].data
        if isinstance(data, o.FunctionRef) and (data.path, data.index) == (path, index):
            return o.Caller(site, args, 0 if data.receiver is None else 1)
        function = self.world.function(path, index)
        if isinstance(data, o.ClassRef) and function.name == "__init__":
            if (data.path, data.index) == (path, function.owner):
                return o.Caller(site, args, 1)
        return None

    def _names(self, path: str, index: int) -> set[str]:
        function = self.world.function(path, index)
        name = function.name
        if name == "__init__" and function.owner >= 0:
            name = self.world.facts[path].classes[function.owner].name
        names = {name}
        if name == "forward" and function.owner >= 0:
            names.add("apply")
        if self._aliases is None:
            self._aliases = self._all_aliases()
        for known in list(names):
            names |= self._aliases.get(known, set())
        return names

    def _all_aliases(self) -> dict[str, set[str]]:
        """Other names of functions: `import f as g`, and `g = f`, `g = C.apply` at module level."""
        aliases: dict[str, set[str]] = defaultdict(set)
        for facts in self.world.facts.values():
            for alias in facts.imports:
                if alias.name is not None and alias.local != alias.name:
                    aliases[alias.name].add(alias.local)
            for stmt in facts.body:
                if type(stmt) is s.Assign and type(stmt.value) in (s.Name, s.Attr):
                    last = stmt.value.id if type(stmt.value) is s.Name else stmt.value.name
                    for target in stmt.targets:
                        if type(target) is s.Name and target.id != last:
                            aliases[last].add(target.id)
        return aliases

    def _named(self, names: set[str], path: str, index: int) -> list[o.CallSite]:
        """Call sites of any of the names that could mean the function, as their text tells."""
        if self._files is None:
            files: dict[str, list[str]] = defaultdict(list)
            for file, facts in self.world.facts.items():
                for name in facts.called:
                    files[name].append(file)
            self._files = files
        nested = self.world.function(path, index).parent >= 0
        found: list[o.CallSite] = []
        for name in sorted(names):
            for file in (path,) if nested else self._files.get(name, ()):
                found += self._in_file(file, name, path, index)
                if len(found) >= MOST:
                    return found
        return found

    def _in_file(self, file: str, name: str, path: str, index: int) -> list[o.CallSite]:
        mentions = self._mentions(file, name)
        if not mentions:
            return []
        bases = self._bases(file, name, path, index)
        lines = {line for line, base in mentions if base in bases or "*" in bases}
        if not lines:
            return []
        owners = sorted({self.enclosing(file, line) for line in lines})
        owners = [i for i in owners if i < 0 or self.world.function(file, i).jit is None]
        self.world.prepare(file, [i for i in owners if i >= 0])
        return [site for i in owners for site in self.sites(file, i).get(name, ())]

    def _mentions(self, file: str, name: str) -> list[tuple[int, str]]:
        """The lines on which `name(` or `base.name(` stands, each with the word before the dot."""
        key = (file, name)
        found = self._places.get(key)
        if found is None:
            data = self.world.bytes_of(file)
            found = []
            word = name.encode()
            start = data.find(word)
            while start >= 0:
                end = start + len(word)
                if data[start - 1 : start] not in _WORD and _AFTER.match(data, end):
                    before = _BEFORE.search(data, max(0, start - 80), start)
                    if before is None or before.group(1) is not None:
                        base = before.group(1).decode(errors="replace") if before else ""
                        found.append((data.count(b"\n", 0, end) + 1, base))
                start = data.find(word, end)
            self._places[key] = found
        return found

    def _bases(self, file: str, name: str, path: str, index: int) -> set[str]:
        """The words before the dot (empty: none) with which a file could call the function."""
        function = self.world.function(path, index)
        facts = self.world.facts[file]
        bases: set[str] = set()
        if function.owner >= 0:
            cls = self.world.facts[path].classes[function.owner].name
            knows = (
                file == path or cls in facts.called or any(al.name == cls for al in facts.imports)
            )
            if function.name == "__init__" or name == "apply":
                imported = {al.local for al in facts.imports if al.name == cls}
                return {"", cls} | imported if knows else set()
            return {"*"} if knows else {""} if name != function.name else set()
        parts = {part.removesuffix(".py") for part in path.split("/")}
        for alias in facts.imports:
            if alias.local == name or alias.name == "*":
                bases.add("")
            last = (alias.name or alias.module).rsplit(".", 1)[-1]
            if last in parts or (alias.name is None and alias.local in parts):
                bases.add(alias.local)
        if file == path or name != function.name:
            bases.add("")
        return bases

    def enclosing(self, path: str, line: int) -> int:
        """The innermost function around a line, -1 at module level."""
        if path not in self._spans:
            functions = self.world.facts[path].functions
            order = sorted(range(len(functions)), key=lambda i: functions[i].head_span.line)
            self._spans[path] = ([functions[i].head_span.line for i in order], order)
        starts, order = self._spans[path]
        functions = self.world.facts[path].functions
        position = bisect.bisect_right(starts, line) - 1
        while position >= 0:
            function = functions[order[position]]
            if function.span.end_line >= line:
                inside = function.head_span.end_line <= line or function.span.line == line
                return order[position] if inside else function.parent
            position -= 1
        return -1

    def sites(self, path: str, index: int) -> dict[str, list[o.CallSite]]:
        """All calls in one function (-1: the module), by the last part of the callee's name."""
        key = (path, index)
        found = self._sites.get(key)
        if found is None:
            run = self.world.module(path) if index < 0 else self.world.run(path, index)
            if run is None:
                return {}
            found = defaultdict(list)
            for expr, env in run.seen:
                for call, where in calls_in(expr, env):
                    func = call.func
                    kind = type(func)
                    name = func.id if kind is s.Name else func.name if kind is s.Attr else ""
                    if name:
                        found[name].append(o.CallSite(path, call, where, index))
            self._sites[key] = found
        return found


_WORD = frozenset(bytes([c]) for c in range(128) if chr(c).isalnum() or chr(c) == "_")
_AFTER = re.compile(rb"[ \t]*\(")
_BEFORE = re.compile(rb"(\w+|\)|\])\s*\.\s*\Z|(?<!\w)def\s+\Z")
_LEAVES = frozenset({s.Const, s.Name, s.Opaque})


def calls_in(expr: s.Expr, env: Env) -> list[tuple[s.Call, Env]]:
    """Every call inside an expression, each with the environment it stands in."""
    found: list[tuple[s.Call, Env]] = []
    pending: list[tuple[s.Expr, Env]] = [(expr, env)]
    while pending:
        part, where = pending.pop()
        kind = type(part)
        if kind is s.Const or kind is s.Name or kind is s.Opaque:
            continue
        if kind is s.Call:
            found.append((part, where))
            func = part.func
            if type(func) is not s.Name:
                pending.append((func, where))
            for arg in part.args:
                value = arg.value
                if type(value) not in _LEAVES:
                    pending.append((value, where))
            continue
        if kind is s.Attr:
            if type(part.base) is not s.Name:
                pending.append((part.base, where))
            continue
        elif kind is s.Lambda:
            inner = Env(where.path, where)
            for param in part.params:
                if param.default is not None:
                    inner.names[param.name] = Bound(param.default, where)
                else:
                    inner.names[param.name] = Fixed(a.unknown("a lambda's argument"))
            pending.append((part.body, inner))
            continue
        elif kind is s.Comp:
            inner = Env(where.path, where)
            for generator in part.generators:
                pending.append((generator.iter, inner))
                _loop_targets(generator.target, Iterated(Bound(generator.iter, inner)), inner)
                pending += [(test, inner) for test in generator.tests]
            pending.append((part.element, inner))
            if part.value is not None:
                pending.append((part.value, inner))
            continue
        pending += [(child, where) for child in children(part)]
    return found


def _loop_targets(target: s.Expr, source: Iterated, env: Env) -> None:
    if type(target) is s.Name:
        env.names[target.id] = source
    elif type(target) is s.Seq:
        for index, item in enumerate(target.items):
            if type(item) is s.Name:
                rest = len(target.items) - index - 1
                env.names[item.id] = Unpacked(source, index, False, rest)
