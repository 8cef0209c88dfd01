"""Tuned launch values in JSON against the kernels that they reach.

Each call of a configured loader is followed to the launches of its function, once for each kind of
bucket that it can return: with the bucket's values in place of the loader's result, and with the
names by which the call chooses its files (`arch`, `backend`) settled as the file's path tells.
What a test then leaves open is not judged, unless it is about data alone."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from aiter_lint.link import arithmetic as a
from aiter_lint.link import objects as o
from aiter_lint.link.assume import conjuncts, single_assignments
from aiter_lint.link.buckets import Bucket, ConfigFile, config_files
from aiter_lint.link.callers import calls_in
from aiter_lint.link.calls import bind
from aiter_lint.link.configs import Configs
from aiter_lint.link.evaluate import Evaluator, Load
from aiter_lint.link.flow import Binding as NameBinding
from aiter_lint.link.flow import Bound, Env, Fixed, assigned, statements, walk
from aiter_lint.link.kernels import Kernels
from aiter_lint.link.launches import Launches
from aiter_lint.link.project import Binding, Kernel, Lacking, Launch, Refused, Tuned
from aiter_lint.link.render import render
from aiter_lint.link.settled import Doubts, Settled
from aiter_lint.link.values import Kind, Value, Values
from aiter_lint.read import syntax as s
from aiter_lint.read.facts import Assumption
from aiter_lint.span import Place

MOST = 4000  # runs through functions with launches; more buckets than that are not judged


def tuned(
    registry: Kernels, configs: Configs, launches: list[Launch], options: frozenset[str]
) -> Tuned:
    """What the config files behind the project's loaders hold, and what is wrong with it."""
    return _Judge(registry, configs, options).judge(launches)


@dataclass(eq=False)
class _Call:
    """A call of a loader, as a function with launches makes it. `exact` are the strings that it
    passes, by parameter, `names` the function's variables that it passes instead, each with the
    line of its last assignment; `loose` are parameters of which neither is known. `asserts` says
    that some kernel of the function has a static_assert."""

    path: str
    index: int
    loader: str
    key: tuple[str, s.Span]  # the call itself, wherever it stands
    inside: s.Span  # the function's own expression that leads to it
    exact: dict[str, str] = field(default_factory=dict)
    names: dict[str, tuple[str, int]] = field(default_factory=dict)
    loose: set[str] = field(default_factory=set)
    compared: dict[str, set[str]] = field(default_factory=dict)  # strings that names may be
    asserts: bool = False


@dataclass(frozen=True, eq=False)
class _Fault:
    """What is wrong with every bucket of some content."""

    kernel: Kernel
    launch: Place
    keys: tuple[str, ...]  # of the bucket
    values: tuple[str, ...]
    assertion: Assumption | None  # None: the kernel gets nothing for a parameter
    test: str = ""


class _Judge:
    def __init__(self, registry: Kernels, configs: Configs, options: frozenset[str]) -> None:
        self.registry = registry
        self.ev: Evaluator = registry.evaluator
        self.world = registry.world
        self.options = options
        self.files = {
            loader: config_files(configs.sources, patterns, configs.matching(patterns))
            for loader, patterns in self._loaders()
        }
        self._runs = 0
        self._faults: dict[object, list[_Fault]] = {}

    def _loaders(self) -> list[tuple[str, tuple[str, ...]]]:
        loaders = dict(self.world.settings.config_loaders)
        return [(name, tuple(globs)) for name, globs in loaders.items()]

    def judge(self, launches: list[Launch]) -> Tuned:
        refused: dict[object, Refused] = {}
        lacking: dict[object, Lacking] = {}
        calls = self._calls(launches) if any(self.files.values()) else []
        positions = self._positions(calls)
        sites = Counter(call.loader for call in calls)
        for call in calls:
            if not call.exact and sites[call.loader] > 1:
                continue  # which of the loader's files are for this call, nobody can tell
            for file in self.files[call.loader]:
                pins = _pins(call, file, positions)
                if pins is None:
                    continue
                for bucket in file.buckets:
                    for fault in self._faults_of(call, pins, bucket):
                        if not _same_machine(fault.kernel.path, bucket.path):
                            continue
                        same = (fault.kernel.path, fault.kernel.qualname, fault.keys)
                        key = (bucket.path, bucket.place, fault.test, same)
                        if fault.assertion is None:
                            others = {k for b in file.buckets for k in b.entries}
                            if file.named and (
                                fault.keys[0] in others or _is_told(call, file, positions)
                            ):
                                made = Lacking(bucket, fault.kernel, fault.keys[0], fault.launch)
                                lacking.setdefault(key, made)
                            continue
                        place = Place(fault.kernel.path, fault.assertion.span)
                        refused.setdefault(
                            key,
                            Refused(
                                bucket,
                                fault.kernel,
                                fault.keys,
                                fault.values,
                                fault.test,
                                place,
                                fault.launch,
                            ),
                        )
        unique = {file.path: file for files in self.files.values() for file in files}
        return Tuned(
            tuple(unique[path] for path in sorted(unique)),
            tuple(refused.values()),
            tuple(lacking.values()),
        )

    # --- calls of loaders ---

    def _calls(self, launches: list[Launch]) -> list[_Call]:
        """The calls of loaders in the functions whose launches get values from config files."""
        functions: dict[tuple[str, int], bool] = {}
        for launch in launches:
            if any(_is_tuned(binding) for binding in launch.bindings):
                index = self._enclosing(launch)
                if index >= 0:
                    key = (launch.place.path, index)
                    asserts = any(_asserts(binding.kernel) for binding in launch.bindings)
                    functions[key] = functions.get(key, False) or asserts
        calls = []
        for (path, index), asserts in functions.items():
            for call in self._in_function(path, index):
                call.asserts = asserts
                calls.append(call)
        return calls

    def _enclosing(self, launch: Launch) -> int:
        functions = self.world.facts[launch.place.path].functions
        around = [
            i
            for i, fact in enumerate(functions)
            if fact.qualname == launch.function and fact.span.contains(launch.place.span)
        ]
        return around[-1] if around else -1

    def _parameters(self, path: str, index: int) -> dict[str, NameBinding]:
        """A function's parameters, of which nothing is known; a method's first one stays."""
        fact = self.world.function(path, index)
        start = 1 if fact.owner >= 0 else 0
        reason = "a parameter"
        return {p.name: Fixed(a.unknown(reason, p.name)) for p in fact.params[start:]}

    def _in_function(self, path: str, index: int) -> list[_Call]:
        outer = self.world.closure(path, index)
        given = self._parameters(path, index)
        run = self.world.flow_of(path, index, outer, given, watched=True)
        own = {id(b) for _, env in run.seen for b in env.names.values()}
        body = self.world.body(path, index)
        lines: dict[str, int] = dict.fromkeys(given, 0)
        for stmt in statements(body):
            if type(stmt) in (s.Assign, s.Augment):
                for name in assigned((stmt,)):
                    lines[name] = max(lines.get(name, 0), stmt.span.line)
        found: dict[tuple[str, s.Span], list[_Call]] = {}
        inside = [body[0].span if body else None]

        def record(load: Load) -> None:
            call = self._call(path, index, load, inside[0], own, lines)
            if call is not None:
                found.setdefault(call.key, []).append(call)

        for expr, env in run.seen:
            if type(expr) in (s.Const, s.Name, s.Lambda):
                continue
            inside[0] = expr.span
            self.ev.loads = record
            try:
                self.ev.ask(expr, env)
                for asked, where in calls_in(expr, env):  # a launch's value asks for no argument
                    self.ev.ask(asked, where)
            finally:
                self.ev.loads = None
        calls = [same[0] for same in found.values() if _agree(same)]
        for call in calls:
            call.compared = self._compared(call, run.seen, outer)
        return calls

    def _call(
        self,
        path: str,
        index: int,
        load: Load,
        inside: s.Span,
        own: set[int],
        lines: dict[str, int],
    ) -> _Call | None:
        if type(load.call) is not s.Call or any(arg.name in ("*", "**") for arg, _ in load.args):
            return None
        call = _Call(path, index, load.name, (load.env.path, load.call.span), inside)
        for param, expr, env in _supplied(load, self.world):
            values = self.ev.expr(expr, env)
            if len(values) == 1 and values[0].exact:
                if isinstance(values[0].constant, str):
                    call.exact[param] = values[0].constant
                else:
                    call.loose.add(param)
                continue
            name = _variable(expr, env, own)
            if name is not None and lines.get(name, inside.line) < inside.line:
                call.names[param] = (name, lines[name])
            else:
                call.loose.add(param)
        return call

    def _compared(
        self, call: _Call, seen: list[tuple[s.Expr, Env]], outer: Env
    ) -> dict[str, set[str]]:
        """The strings with which the function compares the names that it passes to the loader."""
        params = {name: param for param, (name, _) in call.names.items()}
        found: dict[str, set[str]] = defaultdict(set)
        for expr, _ in seen:
            for part in walk(expr):
                if type(part) is not s.Compare:
                    continue
                named = [params[e.id] for e in part.operands if _is_one(e, params)]
                if len(named) == 1:
                    for operand in part.operands:
                        if not _is_one(operand, params):
                            found[named[0]] |= _strings(self.ev.ask(operand, outer))
        return found

    # --- files of a call ---

    def _positions(self, calls: list[_Call]) -> dict[tuple[str, str, int], dict[int, set[str]]]:
        """By loader, parameter and depth of files: the components of their paths at which some
        string stands that the parameter can be, and these strings."""
        strings: dict[tuple[str, str], set[str]] = defaultdict(set)
        for call in calls:
            for param, value in call.exact.items():
                strings[call.loader, param].add(value)
            for param, values in call.compared.items():
                strings[call.loader, param] |= values
        found: dict[tuple[str, str, int], dict[int, set[str]]] = {}
        for (loader, param), values in strings.items():
            for file in self.files[loader]:
                for i, part in file.parts.items():
                    stem = i == file.depth - 1
                    for value in values:
                        if _stands(value, part, stem):
                            at = found.setdefault((loader, param, file.depth), {})
                            at.setdefault(i, set()).add(value)
        return found

    # --- buckets ---

    def _faults_of(self, call: _Call, pins: dict[str, str], bucket: Bucket) -> list[_Fault]:
        content = bucket.content if call.asserts else tuple(sorted(bucket.entries))
        key = (call.path, call.index, call.key, tuple(sorted(pins.items())), content)
        found = self._faults.get(key)
        if found is None:
            if self._runs >= MOST:
                return []
            self._runs += 1
            found = self._faults[key] = self._run(call, pins, bucket)
        return found

    def _run(self, call: _Call, pins: dict[str, str], bucket: Bucket) -> list[_Fault]:
        env = Env(bucket.path)
        entries = {k: [Bound(v, env)] for k, v in bucket.entries.items()}
        mapping = o.Mapping(entries)
        given = (Value(Kind.OTHER, text="a config", data=o.JsonFile(mapping, one=True)),)

        def instead(load: Load) -> Values | None:
            return given if (load.env.path, getattr(load.call, "span", None)) == call.key else None

        self.ev.loads = instead
        try:
            return self._follow(call, pins, bucket, mapping)
        finally:
            self.ev.loads = None

    def _follow(
        self, call: _Call, pins: dict[str, str], bucket: Bucket, mapping: o.Mapping
    ) -> list[_Fault]:
        world = self.world
        outer = world.closure(call.path, call.index)
        body = world.body(call.path, call.index)
        seen: list[tuple[s.Expr, Env]] = []
        lines = dict(call.names.values())
        settled = {name: (value, lines[name]) for name, value in pins.items()}
        flow = Settled(
            world.facts[call.path],
            call.path,
            lambda expr, env: seen.append((expr, env)),
            self.ev,
            settled,
            call.inside,
        )
        fact = world.function(call.path, call.index)
        start = Env(call.path, outer)
        start.names.update(self._parameters(call.path, call.index))
        if fact.owner >= 0 and fact.params:
            flow.receiver = fact.params[0].name
            open_run = world.run(call.path, call.index)
            if open_run is not None:
                start.names[fact.params[0].name] = open_run.start.names[fact.params[0].name]
        flow.run(body, start)
        parameters = frozenset(p.name for p in fact.params)
        doubts = Doubts(body, _targets(body, call.inside), parameters)
        scan = Launches(self.registry, self.options)
        for expr, env in seen:
            scan._scan(expr, env, fact.qualname)
        found: list[_Fault] = []
        judged: dict[Place, Binding] = {}
        for launch in scan.found:
            variable = _variable_of(launch, seen)
            if launch.form == "source" or doubts.about(flow, launch.place.span, variable):
                continue
            for binding in launch.bindings:
                if binding.kernel.opaque_decorator:
                    continue
                judged.setdefault(launch.place, binding)
                found += self._refusals(binding, bucket)
            found += self._missing(call, launch, bucket)
        if judged:
            binding = next(iter(judged.values()))
            found += self._unread(call, flow, doubts, seen, binding, bucket, mapping)
        return found

    def _refusals(self, binding: Binding, bucket: Bucket) -> list[_Fault]:
        """The static_asserts that fail for what a launch passes."""
        kernel = binding.kernel
        body = kernel.function.jit
        if body is None or not _asserts(kernel):
            return []
        passed: dict[str, Values] = {}
        for param in kernel.constexprs:
            ways = binding.arguments.get(param.name, ())
            passed[param.name] = a.union(*[way.values for way in ways]) if ways else ()
        sources = {p: _key_in(bucket, v) for p, v in passed.items()}
        found = []
        for assertion in body.asserts:
            if assertion.guarded:
                continue
            for test in conjuncts(assertion.test):
                blamed = self._blamed(kernel, test, passed, sources)
                if blamed:
                    keys = tuple(dict.fromkeys(sources[p] for p in blamed))
                    values = tuple(render(bucket.entries[key]) for key in keys)
                    text = render(test, 90)
                    place = binding.launch.place
                    found.append(_Fault(kernel, place, keys, values, assertion, text))
                    break
        return found

    def _blamed(
        self,
        kernel: Kernel,
        test: s.Expr,
        passed: dict[str, Values],
        sources: dict[str, str | None],
    ) -> list[str]:
        """The parameters with values of the bucket for which a test fails, those first without
        which it need not; none where it is not certain to fail."""
        if not self._fails(kernel, test, passed):
            return []
        read = _read(kernel, test)
        tuned = [p for p in read if sources.get(p) is not None]
        if not tuned or not any(passed.get(p) for p in tuned):
            return []
        open_ = {p: a.unknown("set free") for p in tuned}
        if self._fails(kernel, test, {**passed, **open_}):
            return []  # it fails whatever the bucket says
        culprits = [p for p in tuned if not self._fails(kernel, test, {**passed, p: open_[p]})]
        return culprits or tuned

    def _fails(self, kernel: Kernel, test: s.Expr, passed: dict[str, Values]) -> bool:
        assert kernel.function.jit is not None
        body = kernel.function.jit
        env = Env(kernel.path, self.world.closure(kernel.path, kernel.index))
        for name in body.bound:
            env.names[name] = Fixed(a.unknown("a name of the kernel's", name))
        for name, values in passed.items():
            env.names[name] = Fixed(values or a.unknown("not passed", name))
        for name, value in single_assignments(body.assigns).items():
            if kernel.param(name) is None:
                env.names[name] = Bound(value, env)
            else:
                env.names[name] = Fixed(a.unknown("changed in the kernel", name))
        values = self.ev.ask(test, env)
        return bool(values) and all(a.truth(v) is False for v in values)

    def _missing(self, call: _Call, launch: Launch, bucket: Bucket) -> list[_Fault]:
        """Parameters that no kernel of a launch gets a value for, and that other buckets have."""
        ways = [{m.param for m in b.mistakes if m.kind == "missing"} for b in launch.bindings]
        common = set.intersection(*ways) if ways else set()
        names = (
            [p.name for p in launch.bindings[0].kernel.params if p.name in common] if ways else []
        )
        kernel = launch.bindings[0].kernel if ways else None
        found = []
        for name in names:
            if name in self._keys(call) and kernel is not None:
                found.append(_Fault(kernel, launch.place, (name,), (), None, name))
        return found

    def _keys(self, call: _Call) -> set[str]:
        """All keys in the files of a loader: what none of them has is the launch's own fault."""
        return {k for f in self.files[call.loader] for b in f.buckets for k in b.entries}

    def _unread(
        self,
        call: _Call,
        flow: Settled,
        doubts: Doubts,
        seen: list[tuple[s.Expr, Env]],
        binding: Binding,
        bucket: Bucket,
        mapping: o.Mapping,
    ) -> list[_Fault]:
        """Keys that the function reads by `config["KEY"]`, and that the bucket does not have."""
        found: dict[str, _Fault] = {}
        keys = self._keys(call)
        for expr, env in seen:
            for part in walk(expr):
                if type(part) is not s.Item or type(part.index) is not s.Const:
                    continue
                key = part.index.value
                if not isinstance(key, str) or key in bucket.entries or key not in keys:
                    continue
                values = self.ev.ask(part.base, env)
                data = values[0].data if len(values) == 1 else None
                if isinstance(data, o.JsonFile) and data.mapping is mapping:
                    if type(expr) is s.Lambda or doubts.about(flow, part.span, None):
                        continue
                    place = Place(call.path, part.span)
                    found[key] = _Fault(binding.kernel, place, (key,), (), None, key)
        return list(found.values())


def _asserts(kernel: Kernel) -> bool:
    body = kernel.function.jit
    return body is not None and any(not x.guarded for x in body.asserts)


def _is_tuned(binding: Binding) -> bool:
    """Whether some value of a launch comes from a JSON file."""
    arguments = [way for ways in binding.arguments.values() for way in ways]
    for argument in (*arguments, *binding.options.values()):
        if argument.how in ("default", "config", "heuristic"):
            continue
        for value in argument.values:
            if any(step.place.path.endswith(".json") for step in value.trail):
                return True
    return False


def _supplied(load: Load, world: object) -> Iterable[tuple[str, s.Expr, Env]]:
    """What a call of a loader passes, by parameter; defaults too."""
    if load.params is None:
        for position, (arg, env) in enumerate(load.args):
            yield arg.name or f"#{position}", arg.value, env
        return
    supplies = bind(load.params, load.args)
    for param in load.params:
        supply = supplies.given.get(param.name)
        if supply is not None:
            yield param.name, supply.arg.value, supply.env
        elif param.default is not None and type(param.default) is s.Const:
            yield param.name, param.default, load.env


def _variable(expr: s.Expr, env: Env, own: set[int]) -> str | None:
    """The name of the function's own variable that an argument passes on, through whatever
    functions lie between."""
    for _ in range(12):
        if type(expr) is not s.Name:
            return None
        binding = env.get(expr.id)
        if binding is None:
            return None
        if id(binding) in own:
            return expr.id
        if type(binding) is not Bound:
            return None
        expr, env = binding.expr, binding.env
    return None


def _agree(calls: list[_Call]) -> bool:
    """Whether one call of a loader, reached in several ways, passes the same in all of them."""
    first = calls[0]
    return all(
        (c.exact, c.names, c.loose) == (first.exact, first.names, first.loose) for c in calls
    )


def _is_one(expr: s.Expr, names: dict[str, str]) -> bool:
    return type(expr) is s.Name and expr.id in names


def _strings(values: Values) -> set[str]:
    found: set[str] = set()
    for value in values:
        if value.exact and isinstance(value.constant, str):
            found.add(value.constant)
        elif isinstance(value.data, o.Mapping):
            found |= {key for key in value.data.entries if isinstance(key, str)}
        else:
            items = value.data.items if isinstance(value.data, o.Sequence) else value.items
            for item in items:
                found |= {v.constant for v in item if v.exact and isinstance(v.constant, str)}
    return found


def _stands(value: str, part: str, stem: bool) -> bool:
    """Whether a component of a path is a string; in a file's name, other pieces may stand before
    it, and sizes (`-N=512-K=7168`) after."""
    if value == part or value.lower().replace("-", "_") == part:
        return bool(value)
    return stem and re.fullmatch(rf"(?:.+-)?{re.escape(value)}(?:-\w+=[^-]*)*", part) is not None


def _pins(
    call: _Call, file: ConfigFile, positions: dict[tuple[str, str, int], dict[int, set[str]]]
) -> dict[str, str] | None:
    """The values of the function's names for which a call returns a bucket of a file; None where
    it does not, or that can't be told."""
    if file.fault is not None:
        return None
    pins: dict[str, str] = {}
    for loader, param, _ in positions:
        if loader != call.loader:
            continue
        at = positions.get((loader, param, file.depth), {})
        if param in call.exact:
            if at and not any(
                call.exact[param] == _longest(file, i, strings) for i, strings in at.items()
            ):
                return None
            if not at and any(k[:2] == (loader, param) for k in positions):
                return None  # other files have it in their paths: this one is a fallback, if any
        elif param in call.loose and at:
            return None
        elif param in call.names and at:
            if len(at) > 1:
                return None
            [(i, strings)] = at.items()
            known = _longest(file, i, strings)
            if i == file.depth - 1 and known is None:
                return None
            pins[call.names[param][0]] = known or file.parts[i]
    return pins


def _is_told(
    call: _Call, file: ConfigFile, positions: dict[tuple[str, str, int], dict[int, set[str]]]
) -> bool:
    """Whether all of a file's path was settled by what the call passes: no machine is left open,
    say, which has kernels of its own."""
    told: set[int] = set()
    for (loader, _, depth), at in positions.items():
        if loader == call.loader and depth == file.depth:
            told |= set(at)
    stem = file.depth - 1
    matched = [
        x
        for (loader, _, depth), at in positions.items()
        if (loader, depth) == (call.loader, file.depth)
        for x in at.get(stem, ())
        if _stands(x, file.parts.get(stem, ""), True)
    ]
    whole = not matched or any(file.parts[stem].startswith(x) for x in matched)
    return whole and all(i in told for i in file.parts if i != stem)


_MACHINE = re.compile(r"(?<![a-z0-9])(gfx[0-9a-f]+|sm_?\d+)")


def _same_machine(kernel: str, config: str) -> bool:
    """Whether a kernel and a config may be for one machine, as far as both of their paths tell."""
    ours, theirs = (set(_MACHINE.findall(path.lower())) for path in (kernel, config))
    return not ours or not theirs or bool(ours & theirs)


def _longest(file: ConfigFile, index: int, strings: set[str]) -> str | None:
    part, stem = file.parts.get(index, ""), index == file.depth - 1
    return max((x for x in strings if _stands(x, part, stem)), key=len, default=None)


def _targets(body: tuple[s.Stmt, ...], inside: s.Span) -> frozenset[str]:
    """The names that a statement binds to what the loader returns."""
    names: set[str] = set()
    for stmt in statements(body):
        if type(stmt) is s.Assign and stmt.span.contains(inside):
            names |= assigned((stmt,))
    return frozenset(names)


def _variable_of(launch: Launch, seen: list[tuple[s.Expr, Env]]) -> str | None:
    """The variable that holds the kernel, where a launch reads one."""
    for expr, _ in seen:
        for part in walk(expr):
            if type(part) is s.Call and part.span == launch.place.span:
                base = part.func.base if type(part.func) in (s.Item, s.Attr) else part.func
                return base.id if type(base) is s.Name else None
    return None


def _read(kernel: Kernel, test: s.Expr) -> list[str]:
    """The parameters that a test reads, also through the kernel's own names."""
    assert kernel.function.jit is not None
    values = single_assignments(kernel.function.jit.assigns)
    found: dict[str, None] = {}
    pending = [test]
    seen: set[str] = set()
    while pending:
        for part in walk(pending.pop()):
            if type(part) is s.Name and part.id not in seen:
                seen.add(part.id)
                if kernel.param(part.id) is not None:
                    found[part.id] = None
                elif part.id in values:
                    pending.append(values[part.id])
    return [p.name for p in kernel.params if p.name in found]


def _key_in(bucket: Bucket, values: Values) -> str | None:
    """The key of the bucket from which a value comes, where it is the only one."""
    if len(values) != 1:
        return None
    for step in values[0].trail:
        if step.place.path == bucket.path:
            for key, expr in bucket.entries.items():
                if expr.span == step.place.span:
                    return key
    return None
