"""Launches in functions that receive the kernel: what one caller passes stays together.

`launch(one, x, 1)` and `launch(two, x, 0.5)` make two launches of `kernel[grid](x, S=s)`, not
four. So the function's flow is looked at once for each caller, and what the callers of one kernel
pass is put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from aiter_lint.link import arithmetic as a
from aiter_lint.link import objects as o
from aiter_lint.link.calls import bind
from aiter_lint.link.evaluate import Evaluator, stepped
from aiter_lint.link.flow import Binding as NameBinding
from aiter_lint.link.flow import Env, Fixed
from aiter_lint.link.project import Argument, Binding, Kernel, Launch
from aiter_lint.link.values import Values
from aiter_lint.read import syntax as s
from aiter_lint.span import Place

MOST = 50  # callers that are told apart

Scan = Callable[[Iterable[tuple[s.Expr, Env]]], list[Launch]]


def by_caller(ev: Evaluator, path: str, index: int, launches: list[Launch], scan: Scan) -> None:
    """Bind the launches of a function again, caller by caller, where they reach several
    kernels. Kernels that no known caller passes keep what they have."""
    several = {launch.place: launch for launch in launches if len(launch.bindings) > 1}
    callers = ev.callers(path, index) if several else []
    if not 1 < len(callers) <= MOST:
        return
    told_apart: dict[Place, list[Binding]] = {}
    for caller in callers:
        given = _passed(ev, path, index, caller)
        run = ev.world.flow_of(path, index, ev.world.closure(path, index), given, watched=True)
        for launch in scan(run.seen):
            told_apart.setdefault(launch.place, []).extend(launch.bindings)
    for place, launch in several.items():
        found: dict[Kernel, list[Binding]] = {}
        for binding in told_apart.get(place, ()):
            found.setdefault(binding.kernel, []).append(binding)
        launch.bindings = [
            together(launch, found[old.kernel]) if old.kernel in found else old
            for old in launch.bindings
        ]


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


def _passed(ev: Evaluator, path: str, index: int, caller: o.Caller) -> dict[str, NameBinding]:
    """The parameters that one call binds; the others stay open to any caller, but for a default
    that the call leaves in force."""
    function = ev.world.function(path, index)
    supplies = bind(function.params, caller.args, caller.shift)
    given: dict[str, NameBinding] = {}
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
