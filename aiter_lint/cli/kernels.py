"""`kernels`: the inventory of a project."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from aiter_lint.cache.folder import Folder
from aiter_lint.cli import terminal
from aiter_lint.cli.project import Invocation, display, invocation
from aiter_lint.discover import Scope
from aiter_lint.link.linker import unresolved
from aiter_lint.link.project import Binding, Kernel, Project
from aiter_lint.link.suggest import suggest
from aiter_lint.pipeline import Request
from aiter_lint.pipeline.stages import read_project
from aiter_lint.report.plain import plain
from aiter_lint.span import Place


def kernels(parameters: Mapping[str, Any]) -> int:
    """Run `aiter-lint kernels` and give its exit code."""
    understood = invocation(parameters["paths"], parameters)
    settings = understood.settings
    progress = terminal.bar(settings.color)
    try:
        linked = read_project(
            Request(
                root=understood.location.root,
                settings=understood.settings,
                selection=understood.selection,
                named=understood.named,
                start=understood.location.start,
                jobs=understood.settings.jobs,
                progress=progress,
                cache=None if settings.no_cache else Folder(settings.cache_dir),
            )
        )
    finally:
        if progress is not None:
            progress.close()
    linked.keep()
    scope = Scope(understood.location.root, understood.named)
    listed = [kernel for kernel in linked.project.kernels if kernel.path in scope]
    inventory = _Inventory(understood, linked.project)
    if parameters["format_"] == "json":
        records = [inventory.record(kernel) for kernel in listed]
        text = json.dumps(records, indent=2, ensure_ascii=False) + "\n"
        pieces: Iterator[str] = iter([text])
    else:
        pieces = inventory.table(listed, verbose=parameters["verbose"])
    problems = [*linked.tree.problems, *linked.reading.problems]
    problems += terminal.write(
        pieces,
        understood.settings.output_file if parameters["set_output_file"] else None,
        data=parameters["format_"] == "json",
    )
    for path, facts in linked.reading.facts.items():
        if facts.fault is not None and path in scope:
            line = facts.fault.span.line
            shown = display(understood.location, path)
            terminal.note(f"{shown}:{line}: {facts.fault.message}; nothing in it is listed")
    for problem in problems:
        terminal.error(problem)
    return 2 if problems else 0


class _Inventory:
    """Kernels as records and as a table."""

    def __init__(self, understood: Invocation, project: Project) -> None:
        self._understood = understood
        self._project = project

    def record(self, kernel: Kernel) -> dict[str, Any]:
        suggestion = suggest(kernel, self._project)
        return {
            **self._place(
                Place(kernel.path, kernel.function.span),
            ),
            "name": kernel.name,
            "qualname": kernel.qualname,
            "dialect": kernel.dialect,
            "role": kernel.role,
            "params": [
                {"name": p.name, "constexpr": p.constexpr, "default": p.default_text}
                for p in kernel.params
            ],
            "repr": _repr(kernel),
            "suggested_keys": list(suggestion.keys),
            "left_out": dict(suggestion.left_out),
            "launches": [
                {**self._place(binding.launch.place), "values": _values(binding)}
                for binding in kernel.launches
            ],
        }

    def table(self, kernels: list[Kernel], *, verbose: bool) -> Iterator[str]:
        rows = []
        for kernel in kernels:
            place = self._place(Place(kernel.path, kernel.function.span))
            at = f"{plain(place['path'])}:{place['line']}"
            launches = len(kernel.launches)
            count = f"{launches} launch{'' if launches == 1 else 'es'}" if launches else ""
            rows.append((at, kernel.qualname, kernel.dialect, kernel.role, count, _told(kernel)))
        widths = [max(map(len, column)) for column in zip(*(row[:-1] for row in rows))]
        for kernel, row in zip(kernels, rows):
            cells = [cell.ljust(width) for cell, width in zip(row, widths)]
            yield "  ".join([*cells, row[-1]]).rstrip() + "\n"
            if verbose:
                yield from self._details(kernel)
        noun = "kernel" if len(kernels) == 1 else "kernels"
        launched = sum(kernel.launched for kernel in kernels)
        yield f"{len(kernels):,} {noun}, {launched:,} launched.\n"

    def _details(self, kernel: Kernel) -> Iterator[str]:
        suggestion = suggest(kernel, self._project)
        yield f"    suggested keys: {', '.join(suggestion.keys) or 'none'}\n"
        for name, reason in suggestion.left_out.items():
            yield f"    left out: {name}: {reason}\n"
        for binding in kernel.launches:
            place = self._place(binding.launch.place)
            yield f"    launch: {plain(place['path'])}:{place['line']}\n"
            for name, values in _values(binding).items():
                what = ", ".join(values["classes"]) or "nothing"
                yield f"        {name}: {what}" + (
                    f" ({values['reason']})\n" if values["reason"] else "\n"
                )

    def _place(self, place: Place) -> dict[str, Any]:
        path = display(self._understood.location, place.path)
        return {"path": path, "line": place.span.line, "column": place.span.column}


def _repr(kernel: Kernel) -> dict[str, Any] | None:
    if kernel.repr is None:
        return None
    builder = kernel.repr.builder
    if builder is None:
        return {"kind": "custom", "base": None, "keys": None, "name_key": None}
    keys = None if builder.keys is None else [key.name for key in builder.keys]
    return {"kind": "builder", "base": builder.base, "keys": keys, "name_key": builder.name_key}


def _values(binding: Binding) -> dict[str, Any]:
    """What a launch gives to each constexpr parameter."""
    found = {}
    for parameter in binding.kernel.constexprs:
        arguments = binding.arguments.get(parameter.name, ())
        kinds = {value.kind.value for argument in arguments for value in argument.values}
        reason = unresolved(binding, parameter.name)
        found[parameter.name] = {
            "classes": sorted(kinds or {"unknown"}),
            "resolved": reason is None,
            "reason": reason,
        }
    return found


def _told(kernel: Kernel) -> str:
    """What a trace shows, as far as it is known."""
    if kernel.repr is None:
        return "no repr"
    builder = kernel.repr.builder
    if builder is None:
        return "custom repr" if kernel.repr.kind == "custom" else "repr is a string"
    if builder.keys is None:
        return f"{builder.base or '?'} (keys unknown)"
    keys = ", ".join(key.name for key in builder.keys)
    return f"{builder.base or '?'} [{keys}{'' if builder.complete else ', ...'}]"
