"""Launches in functions that receive the kernel: what one caller passes stays together.

`launch(one, x, 1)` and `launch(two, x, 0.5)` make two launches of `kernel[grid](x, S=s)`, not
four. So the function's flow is looked at once for each chain of callers, and what those of one
kernel pass is put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from aiter_lint.link import arithmetic as a
from aiter_lint.link import objects as o
from aiter_lint.link.callers import calls_in
from aiter_lint.link.calls import bind
from aiter_lint.link.evaluate import Evaluator, stepped
from aiter_lint.link.flow import Binding as NameBinding
from aiter_lint.link.flow import Env, Fixed
from aiter_lint.link.project import Argument, Binding, Kernel, Launch
from aiter_lint.link.values import Values
from aiter_lint.read import syntax as s
from aiter_lint.span import Place

MOST = 50  # chains of callers that are told apart
LONGEST = 3  # calls in a chain

Args = tuple[tuple[s.Arg, Env], ...]
Given = dict[str, NameBinding]
Scan = Callable[[Iterable[tuple[s.Expr, Env]]], list[Launch]]


def by_caller(ev: Evaluator, path: str, index: int, launches: list[Launch], scan: Scan) -> None:
    """Bind the launches of a function again, caller by caller, where they reach several
    kernels. Kernels that no known caller passes keep what they have."""
    several = {launch.place: launch for launch in launches if len(launch.bindings) > 1}
    chains = _chains(ev, path, index, LONGEST) if several else []
    if len(chains) < 2:
        return
    told_apart: dict[Place, list[Binding]] = {}
    for given in chains:
        for launch in scan(_flow(ev, path, index, given)):
            told_apart.setdefault(launch.place, []).extend(launch.bindings)
    for place, launch in several.items():
        found: dict[Kernel, list[Binding]] = {}
        for binding in told_apart.get(place, ()):
            found.setdefault(binding.kernel, []).append(binding)
        launch.bindings = [
            together(launch, found[old.kernel]) if old.kernel in found else old
            for old in launch.bindings
        ]


def _chains(ev: Evaluator, path: str, index: int, length: int) -> list[Given]:
    """A function's parameters as each chain of callers binds them; none where there are too
    many."""
    found: list[Given] = []
    for caller in ev.callers(path, index):
        for args in _arguments(ev, caller, length - 1):
            found.append(_passed(ev, path, index, replace(caller, args=args)))
            if len(found) > MOST:
                return []
    return found


def _arguments(ev: Evaluator, caller: o.Caller, length: int) -> list[Args]:
    """A call's arguments, once for each chain of callers of the function that it stands in."""
    site = caller.site
    if length == 0 or site.function < 0:
        return [caller.args]
    chains = _chains(ev, site.path, site.function, length)
    found: list[Args] = []
    for given in chains if len(chains) > 1 else ():
        for expr, env in _flow(ev, site.path, site.function, given):
            for call, where in calls_in(expr, env):
                if call.span == site.call.span:
                    args = [(arg, where if e is site.env else e) for arg, e in caller.args]
                    found.append(tuple(args))
    return found or [caller.args]


def _flow(ev: Evaluator, path: str, index: int, given: Given) -> list[tuple[s.Expr, Env]]:
    outer = ev.world.closure(path, index)
    return ev.world.flow_of(path, index, outer, given, watched=True).seen


def together(launch: Launch, bindings: list[Binding]) -> Binding:
    """What several callers make of one launch of one kernel. A mistake counts where all of them
    make one."""
    first = bindings[0]
    arguments: dict[str, tuple[Argument, ...]] = {}
    for name in dict.fromkeys(name for binding in bindings for name in binding.arguments):
        ways: dict[tuple[Place, str], list[Argument]] = {}
        for binding in bindings:
            for argument in binding.arguments.get(name, ()):
                ways.setdefault((argument.place, argument.how), []).append(argument)
        arguments[name] = tuple(
            same[0] if len(same) == 1 else replace(same[0], given=_Union(same))
            for same in ways.values()
        )
    return Binding(
        launch=launch,
        kernel=first.kernel,
        arguments=arguments,
        options={name: option for b in bindings for name, option in b.options.items()},
        opaque=any(binding.opaque for binding in bindings),
        mistakes=first.mistakes if all(binding.mistakes for binding in bindings) else (),
        tuning=first.tuning,
    )


class _Union:
    """The values of several arguments."""

    __slots__ = ("arguments",)

    def __init__(self, arguments: list[Argument]) -> None:
        self.arguments = arguments

    def __call__(self) -> Values:
        return a.union(*[argument.values for argument in self.arguments])


def _passed(ev: Evaluator, path: str, index: int, caller: o.Caller) -> Given:
    """The parameters that one call binds; the others stay open to any caller, but for a default
    that the call leaves in force."""
    function = ev.world.function(path, index)
    supplies = bind(function.params, caller.args, caller.shift)
    given: Given = {}
    for param in function.params[caller.shift :]:
        if param.kind in ("*", "**"):
            whole = ev.gathered(function, param, caller.args, caller.shift)
            given[param.name] = Fixed((whole,))
            continue
        supply = supplies.given.get(param.name)
        if supply is not None:
            expr, env = supply.arg.value, supply.env
            place = Place(env.path, supply.arg.span)
            note = f"passed to {function.name} as {param.name}"
        elif param.default is not None and not supplies.opaque:
            expr, env = param.default, ev.world.closure(path, index)
            place, note = Place(path, param.span), f"default of {param.name}"
        else:
            continue
        given[param.name] = Fixed(tuple(stepped(v, place, note) for v in ev.ask(expr, env)))
    return given
