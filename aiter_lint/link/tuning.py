"""What autotune and heuristics supply, read off their calls."""

from __future__ import annotations

from aiter_lint.link import arithmetic as a
from aiter_lint.link import objects as o
from aiter_lint.link.calls import argument
from aiter_lint.link.evaluate import Evaluator
from aiter_lint.link.flow import Bound, Env, Fixed
from aiter_lint.link.project import Config, NameRef, Supplied, Tuning
from aiter_lint.link.values import Values
from aiter_lint.read import syntax as s
from aiter_lint.span import Place

_CONFIG_ORDER = ("kwargs", "num_warps", "num_stages", "num_ctas", "maxnreg", "pre_hook")
_AUTOTUNE_ORDER = ("configs", "key", "prune_configs_by", "reset_to_zero", "restore_value")


def read_tuning(ev: Evaluator, decorators: Values, expr: s.Expr, env: Env) -> Tuning:
    """What one decorator around a kernel supplies."""
    for decorator in decorators:
        data = decorator.data
        if isinstance(data, o.Wrapper):
            if data.name == "triton.autotune":
                return _autotune(ev, data.call, data.env, opaque=False)
            if data.name == "triton.heuristics":
                return _heuristics(ev, data.call, data.env)
    if type(expr) is s.Call and _looks_tuned(expr):
        return _autotune(ev, expr, env, opaque=True)
    return Tuning(opaque=True)


def _looks_tuned(call: s.Call) -> bool:
    return any(arg.name in ("configs", "key") for arg in call.args)


def _autotune(ev: Evaluator, call: s.Call, env: Env, *, opaque: bool) -> Tuning:
    """What a call of autotune supplies. An `opaque` one is of a wrapper that looks like it: what
    its keys are is not known, they need not be parameters."""
    names: list[NameRef] = []
    configs: tuple[Config, ...] = ()
    known = True
    for position, source in enumerate(_AUTOTUNE_ORDER):
        arg = argument(call.args, position, source)
        if arg is None:
            continue
        if source == "configs":
            configs, known = read_configs(ev, arg.value, env)
        elif source != "prune_configs_by":
            names += _strings(ev, arg.value, env, source)
    if any(arg.name == "**" or arg.name == "*" for arg in call.args):
        known = False
    return Tuning(configs, (), () if opaque else tuple(names), opaque or not known, True)


def _strings(ev: Evaluator, expr: s.Expr, env: Env, source: str) -> list[NameRef]:
    from aiter_lint.link.kernels import string_refs

    return string_refs(ev, expr, env, source)


def read_configs(ev: Evaluator, expr: s.Expr, env: Env) -> tuple[tuple[Config, ...], bool]:
    """The Configs of a list, and whether all of it could be read."""
    configs: list[Config] = []
    known = True
    values = ev.ask(expr, env)
    if not values:
        known = False
    for value in values:
        data = value.data
        if not isinstance(data, o.Sequence):
            known = False
            continue
        known = known and (data.complete or data.uniform)
        for element in data.items:
            for member in element:
                if isinstance(member.data, o.ConfigRef):
                    configs.append(_config(ev, member.data))
                else:
                    known = False
    return tuple(configs), known


def _config(ev: Evaluator, ref: o.ConfigRef) -> Config:
    values: list[Supplied] = []
    options: list[Supplied] = []
    complete = True
    for position, name in enumerate(_CONFIG_ORDER):
        arg = argument(ref.call.args, position, name)
        if arg is None or name == "pre_hook":
            continue
        if name == "kwargs":
            found, complete = _entries(ev, arg.value, ref.env)
            values += found
        else:
            supplied = ev.ask(arg.value, ref.env)
            options.append(Supplied(name, Place(ref.env.path, arg.span), supplied))
    if any(arg.name in ("*", "**") for arg in ref.call.args):
        complete = False
    place = Place(ref.env.path, ref.call.span)
    return Config(place, tuple(values), tuple(options), complete)


def _entries(ev: Evaluator, expr: s.Expr, env: Env) -> tuple[list[Supplied], bool]:
    """The entries of a mapping with the places where they are written."""
    found: list[Supplied] = []
    complete = True
    if type(expr) is s.Dict:
        for entry in expr.entries:
            if entry.key is None:
                inner, known = _entries(ev, entry.value, env)
                found += inner
                complete = complete and known
                continue
            for key in ev.ask(entry.key, env):
                if isinstance(key.constant, str):
                    place = Place(env.path, _joined(entry.key.span, entry.value.span))
                    found.append(Supplied(key.constant, place, ev.ask(entry.value, env)))
                else:
                    complete = False
        return found, complete
    values = ev.ask(expr, env)
    for value in values:
        data = value.data
        if not isinstance(data, o.Mapping):
            complete = False
            continue
        complete = complete and data.complete
        for key in data.entries:
            if isinstance(key, str):
                place = Place(env.path, expr.span)
                for binding in data.entries[key]:
                    if isinstance(binding, Bound):
                        place = Place(binding.env.path, binding.expr.span)
                found.append(Supplied(key, place, ev.entry(data, key)))
    return found, complete and bool(values)


def _joined(first: s.Span, last: s.Span) -> s.Span:
    return s.Span(first.line, first.column, last.end_line, last.end_column)


def _heuristics(ev: Evaluator, call: s.Call, env: Env) -> Tuning:
    arg = argument(call.args, 0, "values")
    if arg is None:
        return Tuning(opaque=True)
    expr, where = arg.value, env
    if type(expr) is not s.Dict:
        found, complete = _entries(ev, expr, env)
    else:
        found, complete = _entries(ev, expr, where)
    supplied = tuple(Supplied(h.name, h.place, _result(ev, h.values)) for h in found)
    names = tuple(NameRef(h.name, h.place, "heuristic") for h in found)
    return Tuning((), supplied, names, not complete)


def _result(ev: Evaluator, functions: Values) -> Values:
    """What a heuristic's function gives."""
    found: list[Values] = []
    argument_values = a.unknown("the arguments of the launch")
    for function in functions:
        data = function.data
        if isinstance(data, o.LambdaRef):
            inner = Env(data.env.path, data.env)
            for param in data.expr.params:
                inner.names[param.name] = Fixed(argument_values)
            found.append(ev.ask(data.expr.body, inner))
        elif isinstance(data, o.FunctionRef):
            ev._fuel = 20_000
            found.append(ev._inline(data, [], function.text))
        else:
            found.append(a.unknown("a heuristic that is not known"))
    return a.union(*found) if found else a.unknown("a heuristic that is not known")
