"""Which functions are kernels: what the decorators of each make of it."""

from __future__ import annotations

from aiter_lint.link import objects as o
from aiter_lint.link.calls import keyword
from aiter_lint.link.evaluate import Evaluator
from aiter_lint.link.flow import Env, walk
from aiter_lint.link.library import JIT_NAMES, TRANSPARENT, canonical
from aiter_lint.link.project import Kernel, NameRef, Parameter, Tuning
from aiter_lint.link.render import render
from aiter_lint.link.tuning import read_tuning
from aiter_lint.link.values import Kind, Value, Values
from aiter_lint.read import syntax as s
from aiter_lint.span import Place

_PASSING = frozenset({"functools.lru_cache", "functools.wraps", "contextlib.contextmanager"})


class Kernels:
    """Every kernel found so far, by file and function."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.world = evaluator.world
        self.found: dict[tuple[str, int], Kernel] = {}
        self.calls: dict[int, tuple[s.Call | None, Env]] = {}  # id(kernel) -> its jit call
        self._refs: dict[tuple, Value] = {}
        self._own = {name: _dialect_of(name) for name in self.world.settings.jit_decorators}
        evaluator.decorate = self.decorate

    def decorate(
        self, ev: Evaluator, decorators: Values, target: Value, expr: s.Expr, env: Env
    ) -> Values:
        """What a decorator (any of `decorators`) makes of `target`."""
        for decorator in decorators:
            name, call = self._jit(decorator)
            if name is not None:
                if isinstance(target.data, o.FunctionRef):
                    dialect = JIT_NAMES.get(name) or self._own.get(name, "triton")
                    return (self._kernel(target.data, dialect, call, expr, env),)
                return (target,)
        if target.kind is Kind.JIT:
            return (self._wrapped(target, decorators, expr, env),)
        for decorator in decorators:
            if self._name(decorator) == "triton.constexpr_function":
                return (Value(Kind.CALLABLE, text=target.text, data=target.data),)
        return (target,)

    def _name(self, decorator: Value) -> str | None:
        data = decorator.data
        if isinstance(data, o.External):
            return data.name
        if isinstance(data, o.Wrapper):
            return data.name
        if isinstance(data, o.FunctionRef):
            return self.evaluator.qualified(data)
        return None

    def _jit(self, decorator: Value) -> tuple[str | None, s.Call | None]:
        name = self._name(decorator)
        if name is None or (name not in JIT_NAMES and name not in self._own):
            if isinstance(decorator.data, o.Partial):
                for function in decorator.data.function:
                    inner = self._name(function)
                    if inner in JIT_NAMES or inner in self._own:
                        call = s.Call(s.Name("jit", _NOWHERE), decorator.data.args, _NOWHERE)
                        return inner, call
            return None, None
        call = decorator.data.call if isinstance(decorator.data, o.Wrapper) else None
        return name, call

    def _wrapped(self, target: Value, decorators: Values, expr: s.Expr, env: Env) -> Value:
        ref = target.data
        assert isinstance(ref, o.JitRef)
        names = [self._name(d) for d in decorators]
        if any(n in TRANSPARENT or n in _PASSING for n in names if n):
            return target
        tuning = read_tuning(self.evaluator, decorators, expr, env)
        return self.reference(ref.kernel, (*ref.tuning, tuning))

    def reference(self, kernel: Kernel, tuning: tuple[Tuning, ...] = ()) -> Value:
        """The value of a kernel as an object."""
        key = (id(kernel), *(id(t) for t in tuning))
        value = self._refs.get(key)
        if value is None:
            data = o.JitRef(kernel, tuning)
            value = self._refs[key] = Value(Kind.JIT, text=kernel.name, data=data)
        return value

    def _kernel(
        self, ref: o.FunctionRef, dialect: str, call: s.Call | None, expr: s.Expr, env: Env
    ) -> Value:
        key = (ref.path, ref.index)
        kernel = self.found.get(key)
        if kernel is None:
            kernel = self._make(ref, dialect, call, expr, env)
            self.found[key] = kernel
            self.calls[id(kernel)] = (call, env)
        return self.reference(kernel)

    def _make(
        self, ref: o.FunctionRef, dialect: str, call: s.Call | None, expr: s.Expr, env: Env
    ) -> Kernel:
        path = ref.path
        facts = self.world.facts[path]
        fact = facts.functions[ref.index]
        names = self._names(call, env) if call is not None else ()
        return Kernel(
            path=path,
            module=self.world.modules.name(path),
            name=fact.name,
            qualname=fact.qualname,
            dialect=dialect,
            place=Place(path, fact.name_span),
            head=Place(path, fact.head_span),
            jit=Place(env.path, expr.span),
            params=tuple(self._parameter(path, p) for p in fact.params),
            function=fact,
            repr=None,
            not_specialized=names,
            method=fact.owner >= 0 and not _is_static(fact),
            nested=fact.parent >= 0,
            tuning=Tuning(),
            opaque_decorator=False,
            index=ref.index,
        )

    def _names(self, call: s.Call, env: Env) -> tuple[NameRef, ...]:
        arg = keyword(call.args, "do_not_specialize")
        if arg is None:
            return ()
        return tuple(string_refs(self.evaluator, arg.value, env, "do_not_specialize"))

    def _parameter(self, path: str, param: s.Param) -> Parameter:
        annotation = param.annotation
        return Parameter(
            name=param.name,
            constexpr=annotation is not None and "constexpr" in annotation,
            annotation=annotation,
            default=param.default,
            default_text=None if param.default is None else render(param.default, 200),
            keyword_only=param.kind == "keyword",
            variadic=param.kind in ("*", "**"),
            place=Place(path, param.span),
        )

    def collect(self) -> list[Kernel]:
        """Find all kernels of the project."""
        for path, facts in self.world.facts.items():
            for index, fact in enumerate(facts.functions):
                if fact.jit is not None and fact.decorators:
                    self.evaluator._fuel = 20_000
                    self.evaluator.function(path, index, self.world.closure(path, index))
            if any(f.jit is not None and not f.decorators for f in facts.functions):
                self._assigned(path)
        for kernel in list(self.found.values()):
            self._finish(kernel)
        return sorted(self.found.values(), key=lambda k: (k.path, k.place.span))

    def _assigned(self, path: str) -> None:
        """`f = triton.jit(f)`: evaluate the calls that could do this."""
        for expr, env in self.world.module(path).seen:
            if type(expr) is s.Call and _makes_kernel(expr):
                self.evaluator.ask(expr, env)
        for index, fact in enumerate(self.world.facts[path].functions):
            if fact.body is not None and fact.jit is None:
                run = self.world.run(path, index)
                if run is not None and run.flow.definitions:
                    for expr, env in run.seen:
                        if type(expr) is s.Call and _makes_kernel(expr):
                            self.evaluator.ask(expr, env)

    def _finish(self, kernel: Kernel) -> None:
        closure = self.world.closure(kernel.path, kernel.index)
        values = self.evaluator.function(kernel.path, kernel.index, closure)
        for value in values:
            if isinstance(value.data, o.JitRef) and value.data.kernel is kernel:
                tunings = value.data.tuning
                kernel.tuning = merge(tunings)
                kernel.opaque_decorator = any(t.opaque and not t.autotuned for t in tunings)


_NOWHERE = s.Span(1, 1, 1, 1)


def _makes_kernel(call: s.Call) -> bool:
    """Whether some function called here is named like a jit: `triton.jit(f)`, `jit()(f)`."""
    return any(
        "jit" in (part.id if type(part) is s.Name else part.name if type(part) is s.Attr else "")
        for part in walk(call.func)
    ) or any(type(a.value) is s.Call and _makes_kernel(a.value) for a in call.args)


def merge(tunings: tuple[Tuning, ...]) -> Tuning:
    """What several wrappers supply together."""
    if len(tunings) == 1:
        return tunings[0]
    return Tuning(
        configs=tuple(c for t in tunings for c in t.configs),
        heuristics=tuple(h for t in tunings for h in t.heuristics),
        names=tuple(n for t in tunings for n in t.names),
        opaque=any(t.opaque for t in tunings),
        autotuned=any(t.autotuned for t in tunings),
    )


def string_refs(ev: Evaluator, expr: s.Expr, env: Env, source: str) -> list[NameRef]:
    """The strings of a list display, wherever it was written, with their places."""
    found: list[NameRef] = []
    for part, where in display_items(ev, expr, env):
        if type(part) is s.Const and isinstance(part.value, str):
            found.append(NameRef(part.value, Place(where.path, part.span), source))
    return found


def display_items(ev: Evaluator, expr: s.Expr, env: Env) -> list[tuple[s.Expr, Env]]:
    """The elements of a list or tuple display, through one level of names."""
    if type(expr) is s.Seq:
        return [(item, env) for item in expr.items]
    found: list[tuple[s.Expr, Env]] = []
    for value in ev.ask(expr, env):
        data = value.data
        if isinstance(data, o.Sequence) and data.env is not None:
            found += [(e, data.env) for e in data.exprs if e is not None]
    return found


def _is_static(fact) -> bool:
    return any(
        (type(d) is s.Name and d.id == "staticmethod")
        or (type(d) is s.Attr and d.name == "staticmethod")
        for d in fact.decorators
    )


def _dialect_of(name: str) -> str:
    return "gluon" if "gluon" in canonical(name) else "triton"
