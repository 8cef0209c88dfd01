"""The link stage from end to end."""

from __future__ import annotations

import functools
from collections import Counter

from aiter_lint.link.assume import refuted
from aiter_lint.link.callers import Callers
from aiter_lint.link.configs import Configs
from aiter_lint.link.evaluate import Evaluator
from aiter_lint.link.kernels import Kernels
from aiter_lint.link.launches import LAUNCH_OPTIONS, Launches
from aiter_lint.link.project import Coverage, Kernel, Project
from aiter_lint.link.reprs import Reprs
from aiter_lint.link.roles import Roles
from aiter_lint.link.tuned import tuned
from aiter_lint.link.values import Kind, leaves
from aiter_lint.link.world import Sources, World
from aiter_lint.settings import Settings


def link(sources: Sources, settings: Settings) -> Project:
    """All files' facts become the project. Pure but for the bytes and JSON files that it asks
    `sources` for; raises nothing on account of what the files hold."""
    world = World(sources, settings)
    evaluator = Evaluator(world)
    configs = Configs(sources)
    evaluator.json = configs.loaded
    evaluator.json_file = configs.file
    evaluator.callers = Callers(evaluator).of
    registry = Kernels(evaluator)
    kernels = registry.collect()
    builders = Reprs(registry).read(kernels)
    options = LAUNCH_OPTIONS | frozenset(settings.launch_options)
    launches = Launches(registry, options)
    found = launches.collect()
    roles = Roles(registry)
    roles.assign(kernels)
    launches.settle(kernels)
    choices = _builder_choices(world)
    return Project(
        files=sources.facts,
        modules={world.modules.name(path): path for path in sources.facts},
        kernels=kernels,
        builders=builders,
        launches=found,
        launch_options=options,
        default_builder=settings.repr_builder or (choices[0] if len(choices) == 1 else None),
        builder_choices=choices,
        strings=frozenset(name for facts in sources.facts.values() for name in facts.strings),
        refuted=lambda kernel: refuted(evaluator, roles, kernel),
        discarded=roles.discarded,
        tuned=functools.cache(lambda: tuned(registry, configs, found, options)),
        coverage=lambda: _coverage(launches, kernels),
    )


def _builder_choices(world: World) -> tuple[str, ...]:
    """Every function `make_kernel_repr` that the project defines at module level."""
    found = []
    for path, facts in world.facts.items():
        for function in facts.functions:
            if function.name == "make_kernel_repr" and function.parent < 0 and function.owner < 0:
                found.append(f"{world.modules.name(path)}.{function.name}")
    return tuple(sorted(set(found)))


def judged_keys(kernel: Kernel) -> list[str]:
    """The parameters whose values a name shows or could show: the repr's keys, where they are
    known, else every constexpr."""
    constexprs = {p.name for p in kernel.constexprs}
    if kernel.repr is not None and kernel.repr.builder is not None and kernel.repr.builder.keys:
        keys = dict.fromkeys(k.name for k in kernel.repr.builder.keys)
        return [name for name in keys if name in constexprs]
    return [p.name for p in kernel.constexprs]


def _coverage(launches: Launches, kernels: list[Kernel]) -> Coverage:
    pairs = resolved = 0
    reasons: Counter[str] = Counter()
    for kernel in kernels:
        keys = judged_keys(kernel)
        for binding in kernel.launches:
            if binding.launch.form == "source":
                continue
            for key in keys:
                pairs += 1
                reason = unresolved(binding, key)
                if reason is None:
                    resolved += 1
                else:
                    reasons[reason] += 1
    return Coverage(
        launches.candidates,
        launches.bound,
        launches.other,
        pairs,
        resolved,
        dict(reasons.most_common()),
        dict(launches.unbound.most_common()),
    )


def unresolved(binding, key: str) -> str | None:
    """Why a key's values at a launch are not all known; None where they are."""
    arguments = binding.arguments.get(key)
    if not arguments:
        return "supplied by a **mapping, a wrapper or a Config that is not known"
    for argument in arguments:
        for value in leaves(argument.values):
            if value.kind is Kind.UNKNOWN:
                return value.reason or "unknown"
    return None
