"""Where kernels are launched, and what each launch gives to each parameter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from aiter_lint.link import arithmetic as a
from aiter_lint.link import objects as o
from aiter_lint.link.callers import calls_in
from aiter_lint.link.evaluate import OUTSIDE, Evaluator
from aiter_lint.link.flow import Bound, Env, apart
from aiter_lint.link.kernels import Kernels, merge
from aiter_lint.link.launchers import Scan, by_caller, together
from aiter_lint.link.project import Argument, Binding, Kernel, Launch, Mistake, Parameter, Tuning
from aiter_lint.link.render import dotted, render
from aiter_lint.link.values import Kind, Value, Values
from aiter_lint.nearest import nearest
from aiter_lint.read import syntax as s
from aiter_lint.span import Place

LAUNCH_OPTIONS = frozenset(
    """num_warps num_stages num_ctas maxnreg warp_size cluster_dims enable_fp_fusion ptx_version
    ptx_options launch_cooperative_grid launch_pdl launch_cluster supported_fp8_dtypes
    deprecated_fp8_dtypes deprecated_fp8_dot_operand_dtypes default_dot_input_precision
    allowed_dot_input_precisions max_num_imprecise_acc_default extern_libs debug backend_name
    sanitize_overflow arch instrumentation_mode ir_override enable_reflect_ftz
    waves_per_eu matrix_instr_nonkdim kpack allow_flush_denorm schedule_hint num_buffers_warp_spec
    num_consumer_groups reg_dec_producer reg_inc_consumer num_xcd
    min_dot_size disable_line_info noinline stream device grid warmup device_type pre_hook
    minRegAutoWS maxRegAutoWS pingpongAutoWS generate_native_code grf_mode split_barriers_scope
    threads_per_warp one_tile_per_cta enable_warp_specialization""".split()
)
"""Keywords that a launch takes beside the parameters: the options of Triton's backends (CUDA,
HIP, and those of the forks that are in use), and the runtime's own."""

_PURE_RUN = ("grid", "warmup")


class Lazy:
    """Values that are computed when they are first asked for."""

    __slots__ = ("_compute", "_values")

    def __init__(self, compute: Callable[[], Values]) -> None:
        self._compute = compute
        self._values: Values | None = None

    def __call__(self) -> Values:
        if self._values is None:
            self._values = self._compute()
        return self._values


class Launches:
    """Finds and binds every launch."""

    def __init__(self, kernels: Kernels, options: frozenset[str]) -> None:
        self.kernels = kernels
        self.ev: Evaluator = kernels.evaluator
        self.world = kernels.world
        self.options = options
        self.found: list[Launch] = []
        self.candidates = 0
        self.bound = 0
        self.other = 0
        self.unbound: Counter[str] = Counter()
        self.unbound_places: list[Place] = []
        self._handed: set[int] = set()  # launches (by id) of a kernel that came from elsewhere
        self._doubtful: list[tuple[s.Call, Place, str]] = []

    def collect(self) -> list[Launch]:
        """All launches of the project, by place."""
        for path, facts in self.world.facts.items():
            if facts.fault is not None:
                continue
            for expr, env in self.world.module(path).seen:
                self._scan(expr, env, None)
            for index, function in enumerate(facts.functions):
                if function.body is not None and function.jit is None:
                    run = self.world.run(path, index)
                    if run is not None:
                        before = len(self.found)
                        for expr, env in run.seen:
                            self._scan(expr, env, function.qualname)
                        mine = [la for la in self.found[before:] if id(la) in self._handed]
                        by_caller(self.ev, path, index, mine, self._again(function.qualname))
        unique: dict[Place, Launch] = {}
        for launch in self.found:
            unique.setdefault(launch.place, launch)
        self.found = sorted(unique.values(), key=lambda launch: launch.place)
        for launch in self.found:
            for binding in launch.bindings:
                binding.kernel.launches.append(binding)
        return self.found

    def _again(self, function: str) -> Scan:
        """Finds the launches of another flow through a function; they are not counted."""

        def scan(seen: Iterable[tuple[s.Expr, Env]]) -> list[Launch]:
            other = Launches(self.kernels, self.options)
            for expr, env in seen:
                other._scan(expr, env, function)
            return other.found

        return scan

    def _scan(self, expr: s.Expr, env: Env, function: str | None) -> None:
        if type(expr) in (s.Const, s.Name):
            return
        for call, where in calls_in(expr, env):
            func = call.func
            kind = type(func)
            if kind is s.Item:
                self._subscript(call, func, where, function)
            elif kind is s.Attr:
                if func.name in ("run", "warmup") and _has_grid(call):
                    self._method(call, func, where, function)
                elif func.name == "ASTSource":
                    self._source(call, where, function)
            elif kind is s.Name:
                if func.id == "ASTSource":
                    self._source(call, where, function)
                else:
                    self._variable(call, func, where, function)
            elif kind is s.Call:
                name = dotted(func.func)
                if name is not None and name.rsplit(".", 1)[-1] == "partial":
                    self._object(call, self.ev.ask(func, where), where, function)

    # --- forms ---

    def _subscript(self, call: s.Call, func: s.Item, env: Env, function: str | None) -> None:
        self.candidates += 1
        values = self.ev.ask(func.base, env)
        jits = [v for v in values if v.kind is Kind.JIT]
        if jits:
            self.bound += 1
            self._bind(call, jits, func.index, env, function, "subscript")
            return
        reason = self._unknown(values, func, env)
        if reason is None:
            self.other += 1
        else:
            self._doubtful.append((call, Place(env.path, call.span), reason))

    def settle(self, kernels: list[Kernel]) -> None:
        """A candidate whose arguments fit no kernel of the project that is more than a helper is
        something else."""
        kernels = [k for k in kernels if k.role != "device" and k.params]
        for call, place, reason in self._doubtful:
            if any(self._fits(call, kernel) for kernel in kernels):
                self.unbound[reason] += 1
                self.unbound_places.append(place)
            else:
                self.other += 1

    def _fits(self, call: s.Call, kernel: Kernel) -> bool:
        """Whether a call's arguments could be those of a launch of the kernel."""
        if any(p.variadic for p in kernel.params):
            return True
        names = {p.name for p in kernel.params}
        starred = any(arg.name in ("*", "**") for arg in call.args)
        given = {arg.name for arg in call.args if arg.name not in (None, "*", "**")}
        if not given <= names | self.options:
            return False
        count = sum(arg.name is None for arg in call.args)
        positional = [p for p in kernel.params if not p.keyword_only]
        if count > len(positional):
            return False
        if starred:
            return True
        tuning = kernel.tuning
        opaque = kernel.opaque_decorator or tuning.opaque  # may supply any constexpr
        supplied = {h.name for h in tuning.heuristics}
        supplied |= {entry.name for c in tuning.configs for entry in (*c.values, *c.options)}
        supplied |= {p.name for p in positional[:count]} | given
        return all(
            p.default is not None or p.name in supplied or (opaque and p.constexpr)
            for p in kernel.params
        )

    def _unknown(self, values: Values, func: s.Item, env: Env) -> str | None:
        """Why a candidate could still be a launch; None where it is something else."""
        unknown = [
            v for v in values if v.kind is Kind.UNKNOWN and v.data is None and v.reason != OUTSIDE
        ]
        if not unknown:
            return None  # what a function outside the project makes is no kernel of the project
        index = func.index
        if type(index) is s.Opaque and index.what == "slice":
            return None
        if type(index) in (s.Unary, s.Compare, s.Logic, s.Text) or (
            type(index) is s.Const and not isinstance(index.value, tuple)
        ):
            return None
        if type(index) is s.Binary and index.op in ("-", "/", "//", "%"):
            return None  # a number; a grid is a tuple or a function
        scalars = (Kind.INT, Kind.NEGATIVE, Kind.STR, Kind.BOOL, Kind.NONE, Kind.DTYPE)
        indices = self.ev.ask(index, env)
        if indices and all(v.kind in scalars or _is_member(v) for v in indices):
            return None
        return unknown[0].reason or "unknown"

    def _method(self, call: s.Call, func: s.Attr, env: Env, function: str | None) -> None:
        values = self.ev.ask(func.base, env)
        jits = [v for v in values if v.kind is Kind.JIT]
        if jits:
            self.candidates += 1
            self.bound += 1
            grid = next((arg.value for arg in call.args if arg.name == "grid"), None)
            self._bind(call, jits, grid, env, function, func.name)

    def _variable(self, call: s.Call, func: s.Name, env: Env, function: str | None) -> None:
        binding = env.names.get(func.id)
        if type(binding) is Bound and _may_be_launch(binding.expr):
            self._object(call, self.ev.ask(func, env), env, function)

    def _object(self, call: s.Call, values: Values, env: Env, function: str | None) -> None:
        """A call of something that may be `kernel[grid]`, or a partial of it."""
        for value in values:
            args: tuple[s.Arg, ...] = call.args
            data = value.data
            where = env
            while isinstance(data, o.Partial) and len(data.function) == 1:
                args = data.args + args
                data = data.function[0].data
            if isinstance(data, o.GridBound):
                self.candidates += 1
                jits = [v for v in data.kernels if v.kind is Kind.JIT]
                if jits:
                    self.bound += 1
                    whole = s.Call(call.func, args, call.span)
                    self._bind(whole, jits, data.grid, where, function, "subscript")
                return
            if isinstance(data, o.Method) and data.name in ("run", "warmup"):
                jits = [v for v in data.owner if v.kind is Kind.JIT]
                if jits:
                    self.candidates += 1
                    self.bound += 1
                    whole = s.Call(call.func, args, call.span)
                    self._bind(whole, jits, None, where, function, data.name)
                return

    def _source(self, call: s.Call, env: Env, function: str | None) -> None:
        arg = next((x for x in call.args if x.name in (None, "fn")), None)
        if arg is None:
            return
        jits = [v for v in self.ev.ask(arg.value, env) if v.kind is Kind.JIT]
        if jits:
            self.candidates += 1
            self.bound += 1
            launch = Launch(Place(env.path, call.span), "source", function)
            for value in jits:
                kernel = value.data.kernel
                launch.bindings.append(Binding(launch, kernel, {}, {}, True, (), Tuning()))
            self.found.append(launch)

    # --- binding ---

    def _bind(
        self,
        call: s.Call,
        jits: list[Value],
        grid: s.Expr | None,
        env: Env,
        function: str | None,
        form: str,
    ) -> None:
        launch = Launch(Place(env.path, call.span), form, function)
        axes = self._axes(grid, env)
        if any("passed to" in step.note for value in jits for step in value.trail):
            self._handed.add(id(launch))
        found: dict[tuple[int, ...], list[Binding]] = {}
        for value, where in self._by_branch(call, jits, env):
            kernel, wrappers = value.data.kernel, value.data.tuning
            binder = Binder(self, call, where, kernel, merge(wrappers), axes, form)
            same = (id(kernel), *map(id, wrappers))
            found.setdefault(same, []).append(binder.bind(launch))
        for bindings in found.values():
            launch.bindings.append(
                bindings[0] if len(bindings) == 1 else together(launch, bindings)
            )
        self.found.append(launch)

    def _by_branch(self, call: s.Call, jits: list[Value], env: Env) -> list[tuple[Value, Env]]:
        """The kernels that a launch can reach, each with what its branch assigned beside it."""
        base = call.func.base if type(call.func) in (s.Item, s.Attr) else None
        if len(jits) > 1 and type(base) is s.Name:
            branches = apart(env, base.id)
            if len(branches) > 1:
                pairs = [(v, e) for e in branches for v in self.ev.ask(base, e)]
                return [(v, e) for v, e in pairs if v.kind is Kind.JIT]
        return [(value, env) for value in jits]

    def _axes(self, grid: s.Expr | None, env: Env) -> frozenset[str]:
        """The texts of the grid's axes, as far as they are written here."""
        if grid is None:
            return frozenset()
        texts: set[str] = set()
        if type(grid) is s.Name:
            binding = env.get(grid.id)
            texts |= {f"{grid.id}[{n}]" for n in range(3)}
            if type(binding) is Bound:
                grid = binding.expr
        if type(grid) is s.Lambda:
            grid = grid.body
        if type(grid) is s.Seq:
            texts |= {render(i, 400) for i in grid.items if type(i) is not s.Const}
        return frozenset(texts)


class Binder:
    """Binds one launch to one kernel."""

    def __init__(
        self,
        launches: Launches,
        call: s.Call,
        env: Env,
        kernel: Kernel,
        tuning: Tuning,
        axes: frozenset[str],
        form: str,
    ) -> None:
        self.ev = launches.ev
        self.options_known = launches.options
        self.call = call
        self.env = env
        self.kernel = kernel
        self.tuning = tuning
        self.axes = axes
        self.form = form
        self.arguments: dict[str, tuple[Argument, ...]] = {}
        self.options: dict[str, Argument] = {}
        self.mistakes: list[Mistake] = []
        self.missed: set[str] = set()
        self.star = False  # an unknown number of positional arguments
        self.hidden = False  # an unknown set of keyword arguments

    def bind(self, launch: Launch) -> Binding:
        """The binding."""
        self._given()
        supplied = self._supplied()
        self._missing(supplied)
        opaque = self.star or self.hidden
        return Binding(
            launch,
            self.kernel,
            self.arguments,
            self.options,
            opaque,
            tuple(self.mistakes),
            self.tuning,
        )

    def _given(self) -> None:
        params = [p for p in self.kernel.params if not p.variadic]
        positional = [p for p in params if not p.keyword_only]
        names = {p.name: p for p in params}
        position = 0
        for arg in self.call.args:
            if arg.name is None:
                if self.star:
                    continue
                self._at(positional, position, arg, Lazy(self._compute(arg.value)))
                position += 1
            elif arg.name == "*":
                elements = self.ev.elements(self.ev.ask(arg.value, self.env))
                if elements is None:
                    self.star = True
                    continue
                for values in elements:
                    self._at(positional, position, arg, Lazy(lambda v=values: v), "star")
                    position += 1
            elif arg.name == "**":
                self._spread(arg, names)
            else:
                self._keyword(arg, names)

    def _compute(self, expr: s.Expr) -> Callable[[], Values]:
        on_grid = bool(self.axes) and type(expr) is not s.Const and render(expr, 400) in self.axes

        def compute() -> Values:
            values = self.ev.ask(expr, self.env)
            if on_grid:
                # an inner dimension that the grid covers too (heads, say) is a size like others
                values = tuple(
                    v if v.exact or (v.size and not v.rows) else replace(v, rows=True)
                    for v in values
                )
            return values

        return compute

    def _at(
        self,
        positional: list[Parameter],
        position: int,
        arg: s.Arg,
        given: Callable[[], Values],
        how: str = "position",
    ) -> None:
        if position < len(positional):
            name = positional[position].name
            self._add(name, how, arg, given)
        elif not any(p.variadic for p in self.kernel.params):
            if not any(m.kind == "too-many" for m in self.mistakes):
                place = Place(self.env.path, arg.span)
                self.mistakes.append(Mistake("too-many", None, place))

    def _add(self, name: str, how: str, arg: s.Arg, given: Callable[[], Values]) -> None:
        place = Place(self.env.path, arg.span)
        if name in self.arguments:
            self.mistakes.append(Mistake("twice", name, place))
            return
        self.arguments[name] = (Argument(name, how, place, given, render(arg.value)),)

    def _keyword(self, arg: s.Arg, names: dict[str, Parameter]) -> None:
        name = arg.name
        assert name is not None
        if self.form in ("run", "warmup") and name in _PURE_RUN and name not in names:
            return
        given = Lazy(self._compute(arg.value))
        if name in names:
            self._add(name, "keyword", arg, given)
            return
        place = Place(self.env.path, arg.span)
        if name in self.options_known:
            self.options[name] = Argument(name, "keyword", place, given, render(arg.value))
            return
        if any(p.variadic for p in self.kernel.params):
            return
        near = nearest(name, names)
        if near is not None:
            self.mistakes.append(Mistake("near-miss", name, place, near))
            self.missed.add(near)

    def _spread(self, arg: s.Arg, names: dict[str, Parameter]) -> None:
        values = self.ev.ask(arg.value, self.env)
        mappings: list[o.Mapping] = []
        loaded = False  # from files, of which no single one need have all the keys
        for value in values:
            data = value.data
            if isinstance(data, o.JsonFile):
                loaded = True
                data = data.mapping
            if isinstance(data, o.Mapping):
                mappings.append(data)
            elif value.kind is not Kind.NONE:
                self.hidden = True
        if not mappings:
            self.hidden = True
            return
        keys = dict.fromkeys(k for m in mappings for k in m.entries if isinstance(k, str))
        for key in keys:
            holders = [m for m in mappings if key in m.entries]
            if len(holders) < len(mappings) or self.hidden:
                self.missed.add(key)  # on some path only
            given = Lazy(lambda h=tuple(holders), k=key: self._entries(h, k))
            place = Place(self.env.path, arg.span)
            text = f"{render(arg.value)}[{key!r}]"
            made = Argument(key, "mapping", place, given, text)
            if key in names:
                if key not in self.arguments:
                    self.arguments[key] = (made,)
                elif key not in self.missed and not loaded:
                    self.mistakes.append(Mistake("twice", key, place))
            elif key in self.options_known:
                self.options.setdefault(key, made)
        if any(not m.complete for m in mappings):
            self.hidden = True

    def _entries(self, holders: tuple[o.Mapping, ...], key: str) -> Values:
        self.ev._fuel = 40_000
        return a.union(*[self.ev.entry(m, key) for m in holders])

    def _supplied(self) -> set[str]:
        """What Configs and heuristics give."""
        supplied: set[str] = set()
        names = {p.name for p in self.kernel.params}
        for heuristic in self.tuning.heuristics:
            if heuristic.name not in names:
                continue
            supplied.add(heuristic.name)
            before = self.arguments.get(heuristic.name, ())
            if before and before[0].how in ("position", "star"):
                hint = "a heuristic"
                place = before[0].place
                self.mistakes.append(Mistake("supplied", heuristic.name, place, hint))
            given = Lazy(lambda v=heuristic.values: v)
            made = Argument(heuristic.name, "heuristic", heuristic.place, given, heuristic.name)
            self.arguments[heuristic.name] = (made,)
        tuned: dict[str, list[Argument]] = {}
        for config in self.tuning.configs:
            for entry in config.values:
                if entry.name in names:
                    given = Lazy(lambda v=entry.values: v)
                    made = Argument(entry.name, "config", entry.place, given, entry.name)
                    tuned.setdefault(entry.name, []).append(made)
        for option in ("num_warps", "num_stages", "num_ctas", "maxnreg"):
            if option in names and option not in tuned and self.tuning.autotuned:
                entries = [x for c in self.tuning.configs for x in c.options if x.name == option]
                tuned_option = [
                    Argument(option, "config", x.place, Lazy(lambda v=x.values: v), option)
                    for x in entries
                ]
                if tuned_option or self.tuning.configs:
                    supplied.add(option)
                if tuned_option:
                    tuned[option] = tuned_option
        for name, arguments in tuned.items():
            supplied.add(name)
            before = self.arguments.get(name, ())
            if before and before[0].how in ("position", "star", "keyword"):
                if not self.tuning.opaque:
                    place = before[0].place
                    self.mistakes.append(Mistake("supplied", name, place, "a Config"))
                continue
            self.arguments[name] = tuple(arguments)
        return supplied

    def _missing(self, supplied: set[str]) -> None:
        opaque = self.tuning.opaque or self.kernel.opaque_decorator
        first_line = Place(self.env.path, self.call.span)
        for param in self.kernel.params:
            if param.variadic or param.name in self.arguments or param.name in supplied:
                continue
            if self.hidden or (self.star and not param.keyword_only):
                continue
            if param.default is not None:
                if param.name not in self.missed:
                    env = self.ev.world.closure(self.kernel.path, self.kernel.index)
                    given = Lazy(lambda p=param, e=env: self.ev.ask(p.default, e))
                    text = param.default_text or ""
                    made = Argument(param.name, "default", param.place, given, text)
                    self.arguments[param.name] = (made,)
                continue
            if not opaque and param.name not in self.missed:
                self.mistakes.append(Mistake("missing", param.name, first_line))


def _has_grid(call: s.Call) -> bool:
    return any(arg.name in ("grid", "**") for arg in call.args)


def _may_be_launch(expr: s.Expr) -> bool:
    """Whether a variable could hold `kernel[grid]`, a partial of it, or `kernel.run`."""
    kind = type(expr)
    if kind is s.Call:
        name = dotted(expr.func)
        return name is not None and name.rsplit(".", 1)[-1] == "partial"
    if kind is s.Attr:
        return expr.name in ("run", "warmup")
    if kind is s.Cond:
        return _may_be_launch(expr.then) or _may_be_launch(expr.other)
    return kind is s.Item and type(expr.index) not in (s.Const, s.Unary, s.Opaque)


def _is_member(value: Value) -> bool:
    return isinstance(value.data, (o.Member, o.External, o.ClassRef))
