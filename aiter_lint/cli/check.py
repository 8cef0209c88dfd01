"""`check` and `fix`: findings, and what becomes of them."""

from __future__ import annotations

import dataclasses
import gc
import os
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from aiter_lint.cache.folder import Folder
from aiter_lint.cli import terminal
from aiter_lint.cli.answer import Answer
from aiter_lint.cli.project import Invocation, display, invocation
from aiter_lint.cli.settings import settings_text
from aiter_lint.cli.statistics import statistics
from aiter_lint.discover import Scope
from aiter_lint.pipeline import Outcome, Request, run
from aiter_lint.report.plain import plain
from aiter_lint.report.report import FORMATS, Report, render
from aiter_lint.settings import SettingsError
from aiter_lint.suppress import changes_since, load_baseline

_SHOWN_WITH_FIX = 50
"""So many fixes full output shows: nobody reads more; `--diff` shows them all."""

_WITH_EVERY_FIX = frozenset({"json", "jsonl", "sarif", "rdjson"})

_FOR_PEOPLE = frozenset({"full", "concise", "github"})
"""Formats that go through the terminal's own encoding; the others are UTF-8."""


def check(parameters: Mapping[str, Any], arguments: Sequence[str] | None = None) -> int:
    """Run `aiter-lint check` and give its exit code. What the command line `arguments` gives is
    stored for the next run."""
    begun = time.time_ns()
    asked = parameters.get("stdin_filename")
    if asked is not None:
        if [path for path in parameters["paths"] if path != "-"]:
            raise SettingsError("--stdin-filename: give no PATHS beside it")
        understood = invocation([asked], parameters, formats=FORMATS, absent=True)
    else:
        understood = invocation(parameters["paths"], parameters, formats=FORMATS)
    if parameters["show_settings"]:
        terminal.Output().text([settings_text(understood)])
        return 0
    if parameters["show_files"]:
        return _show_files(understood)
    if parameters.get("fix") or parameters["diff"]:
        from aiter_lint.cli.fix import fix

        return fix(understood, parameters)
    collects = gc.isenabled()
    gc.disable()  # what a run builds lives to its end; looking for garbage in it is a tenth of it
    try:
        return _check(understood, parameters, arguments, begun)
    finally:
        if collects:
            gc.enable()


def _check(
    understood: Invocation,
    parameters: Mapping[str, Any],
    arguments: Sequence[str] | None,
    begun: int,
) -> int:
    request, progress = requested(understood, parameters)
    request = dataclasses.replace(request, planned=_planned(understood.settings.output_format))
    answer = None
    if arguments is not None and request.cache is not None and _repeatable(understood, parameters):
        answer = Answer(request.cache, arguments, begun)
    try:
        outcome = run(request)
    finally:
        if progress is not None:
            progress.close()
    if answer is None:
        return tell(understood, outcome)
    terminal.record()
    try:
        code = tell(understood, outcome)
    finally:
        pieces = terminal.recorded()
    answer.store(understood, parameters["paths"], outcome, code, pieces)
    return code


def _repeatable(understood: Invocation, parameters: Mapping[str, Any]) -> bool:
    """Whether all that a run does is to print what files alone decide."""
    settings = understood.settings
    to_files = settings.output_file is not None or any("=" in f for f in settings.output_format)
    return not to_files and not parameters.get("since") and not parameters.get("stdin_filename")


def _planned(formats: Sequence[str]) -> int | None:
    """For how many findings the output shows fixes; None for all."""
    names = {text.partition("=")[0] for text in formats}
    if names & _WITH_EVERY_FIX:
        return None
    return _SHOWN_WITH_FIX if "full" in names else 0


def requested(understood: Invocation, parameters: Mapping[str, Any]) -> tuple[Request, Any]:
    """The request that a command line makes, and the progress bar that goes with it."""
    settings, root = understood.settings, understood.location.root
    overlay = {}
    if parameters.get("stdin_filename") is not None:
        path = os.path.relpath(understood.named[0], root).replace(os.sep, "/")
        overlay[path] = sys.stdin.buffer.read()
    baseline = None
    if not parameters.get("no_baseline"):
        baseline = load_baseline(root, settings.baseline)
    since = parameters.get("since")
    progress = terminal.bar(settings.color)
    cache = None if settings.no_cache else Folder(settings.cache_dir)
    request = Request(
        root=root,
        settings=settings,
        selection=understood.selection,
        named=understood.named,
        start=understood.location.start,
        jobs=settings.jobs,
        overlay=overlay,
        baseline=baseline,
        changes=None if since is None else changes_since(root, since),
        progress=progress,
        cache=cache,
    )
    return request, progress


def tell(
    understood: Invocation,
    outcome: Outcome,
    *,
    fixed: int = 0,
    problems: Sequence[str] = (),
    on_stderr: bool = False,
) -> int:
    """Print an outcome in every format that was asked for; gives the exit code. `problems` are
    more reasons why the run is not to be trusted."""
    settings = understood.settings
    problems = [*outcome.problems, *problems]
    to_people = False
    for choice in settings.output_format:
        name, _, path = choice.partition("=")
        target = path or settings.output_file
        stream = sys.stderr if on_stderr else sys.stdout
        report = Report(
            findings=outcome.findings,
            root=understood.location.root,
            cwd=os.getcwd(),
            text=outcome.sources.text,
            files=outcome.files,
            hidden=outcome.hidden,
            baselined=outcome.baselined,
            stale=len(outcome.stale),
            fixed=fixed,
            unplanned=outcome.unplanned,
            complete=not problems,
            color=not target and terminal.wants_color(settings.color, stream),
        )
        pieces = render(name, report)
        if on_stderr and not target:
            terminal.say("".join(pieces))
            continue
        to_people = to_people or (name in _FOR_PEOPLE and not target)
        problems += terminal.write(pieces, target, data=name not in _FOR_PEOPLE)
    if settings.statistics:
        if to_people:
            terminal.Output().text([statistics(outcome)])
        else:
            terminal.say(statistics(outcome))
    for text in outcome.notes:
        terminal.note(text)
    _tell_stale(understood, outcome)
    for problem in problems:
        terminal.error(problem)
    return 2 if problems else exit_code(understood, outcome)


def exit_code(understood: Invocation, outcome: Outcome) -> int:
    """0 or 1, by what is shown."""
    settings = understood.settings
    return int(not settings.exit_zero and outcome.fails(settings.fail_on))


def _tell_stale(understood: Invocation, outcome: Outcome) -> None:
    if not outcome.stale:
        return
    one = next(iter(outcome.stale))
    many = len(outcome.stale)
    path = display(understood.location, understood.settings.baseline)
    kernel = f" of {one.kernel}" if one.kernel else ""
    first = f"{one.rule}{kernel} in {display(understood.location, one.path)}"
    terminal.error(
        f"{path}: {'an entry is' if many == 1 else f'{many} entries are'} no longer needed "
        f"({first}{', ...' if many > 1 else ''}): run `aiter-lint baseline --prune`"
    )


def _show_files(understood: Invocation) -> int:
    from aiter_lint.discover import discover

    root = understood.location.root
    settings = understood.settings
    tree = discover(
        root,
        settings.exclude,
        understood.named,
        start=understood.location.start,
        force=settings.force_exclude,
    )
    scope = Scope(root, understood.named)
    terminal.Output().text(
        f"{plain(display(understood.location, path))}\n" for path in tree.python if path in scope
    )
    for text in tree.notes:
        terminal.note(text)
    for text in tree.problems:
        terminal.error(text)
    return 2 if tree.problems else 0
