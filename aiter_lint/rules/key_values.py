"""What launches, configs and heuristics give to keys: the ground that the rules on values share."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Related, Severity
from aiter_lint.link.values import Kind, Value, leaves
from aiter_lint.rules.keys import removal
from aiter_lint.rules.repr_owner import built

if TYPE_CHECKING:
    from aiter_lint.link.project import Argument, Builder, Kernel, Key, Launch, Project
    from aiter_lint.rules.rule import Meta

SHOWN = 3  # origins that one finding tells; the rest is a number


@dataclass(frozen=True, slots=True)
class Fed:
    """One argument on its way into a name."""

    kernel: Kernel
    builder: Builder
    key: Key
    launch: Launch
    argument: Argument
    values: tuple[Value, ...]  # the elements of tuples one by one


def report(
    meta: Meta,
    project: Project,
    wrong: Callable[[Value], bool],
    say: Callable[[Fed, Value], str],
    *,
    unless: Callable[[Value], bool] | None = None,
    severity: Callable[[Value], Severity] | None = None,
    removable: bool = True,
) -> Iterator[Finding]:
    """One finding for each argument of which some value is `wrong`, `unless` another value of it
    is so wrong that a stricter rule speaks."""
    told = set()
    for fed in arguments(project):
        values = [value for value in fed.values if wrong(value)]
        if not values or (unless is not None and any(map(unless, fed.values))):
            continue
        if severity is not None:
            values.sort(key=lambda value: -severity(value).rank)
        cause = (fed.argument.place, fed.kernel.qualname, fed.key.name)
        if cause in told:
            continue
        told.add(cause)
        yield meta.finding(
            fed.argument.place,
            say(fed, values[0]),
            kernel=fed.kernel,
            key=fed.key.name,
            related=_story(fed, values),
            severity=severity(values[0]) if severity is not None else None,
            repair=removal(project, fed.kernel, fed.builder, fed.key) if removable else None,
        )


@functools.lru_cache(maxsize=1)
def arguments(project: Project) -> tuple[Fed, ...]:
    """All arguments of all launches for constexpr parameters that are keys."""
    found = []
    for kernel, builder in built(project):
        keys = {key.name: key for key in reversed(builder.keys or ())}
        for binding in kernel.launches:
            for name, key in keys.items():
                parameter = kernel.param(name)
                if parameter is None or not parameter.constexpr:
                    continue
                for argument in binding.arguments.get(name, ()):
                    values = tuple(leaves(argument.values))
                    found.append(Fed(kernel, builder, key, binding.launch, argument, values))
    return tuple(found)


def is_negative(value: Value) -> bool:
    """Renders with a minus, also where it is no integer."""
    return value.kind is Kind.NEGATIVE or (_is_number(value) and value.constant < 0)


def is_fractional(value: Value) -> bool:
    """Renders with a point or an exponent, for all that is known. A negative is the other
    rule's; infinity and NaN render as words."""
    if value.kind is not Kind.FLOAT or is_negative(value):
        return False
    return not _is_number(value) or (math.isfinite(value.constant) and value.constant % 1 != 0)


def is_integral_float(value: Value) -> bool:
    """A float that renders as an integer."""
    if value.kind not in (Kind.FLOAT, Kind.INTEGRAL) or is_negative(value):
        return False
    return value.kind is Kind.INTEGRAL or (_is_number(value) and value.constant % 1 == 0)


def named(fed: Fed, value: Value) -> str:
    """How a message calls the value: as the code has it, and what it is where that differs."""
    text = value.text or fed.argument.text
    shown = repr(value.constant) if value.exact else text
    return f"`{text}`" if shown == text else f"`{text}` ({shown})"


def _is_number(value: Value) -> bool:
    return value.exact and type(value.constant) in (int, float)


def _story(fed: Fed, values: list[Value]) -> tuple[Related, ...]:
    """From the launch back to where each value comes from, in reading order."""
    steps: list[Related] = []
    here = fed.argument.place
    if not (here.path == fed.launch.place.path and fed.launch.place.span.contains(here.span)):
        steps.append(Related(fed.launch.place, f"kernel `{fed.kernel.name}` is launched here"))
    for value in values[:SHOWN]:
        for step in reversed(value.trail):
            related = Related(step.place, step.note)
            if step.place != here and related not in steps:
                steps.append(related)
    if len(values) > SHOWN:
        steps.append(Related(here, f"and {len(values) - SHOWN} more such values"))
    steps.append(Related(fed.key.place, f"`{fed.key.name}` is a key of the repr"))
    return tuple(steps)
