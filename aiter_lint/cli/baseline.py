"""`baseline`: write down what is there today, or take out what is gone."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any

from aiter_lint.cli import terminal
from aiter_lint.cli.check import requested
from aiter_lint.cli.project import display, invocation
from aiter_lint.discover import Scope
from aiter_lint.pipeline import run
from aiter_lint.settings import SettingsError
from aiter_lint.suppress import Baseline, baseline_of


def baseline(parameters: Mapping[str, Any]) -> int:
    """Run `aiter-lint baseline` and give its exit code: 2 where nothing could be written."""
    understood = invocation(parameters["paths"], parameters)
    root = understood.location.root
    request, progress = requested(understood, parameters)
    old, prune = request.baseline, parameters["prune"]
    path = os.path.join(root, understood.settings.baseline)
    shown = display(understood.location, understood.settings.baseline)
    if prune and old is None:
        raise SettingsError(f"{shown}: there is no baseline to prune")
    try:
        outcome = run(dataclasses.replace(request, baseline=old if prune else None))
    finally:
        if progress is not None:
            progress.close()
    if outcome.problems:
        for problem in outcome.problems:
            terminal.error(problem)
        terminal.error(f"{shown}: not written, because the run is not complete")
        return 2
    if prune:
        assert old is not None
        new = old.without(outcome.stale)
    else:
        # findings of other files than PATHS stay as they are
        kept = old.outside(Scope(root, understood.named)) if old is not None else None
        new = baseline_of(outcome.findings, outcome.sources)
        if kept is not None:
            new = Baseline(new.counts + kept.counts)
    try:
        write(path, new.text())
    except OSError as error:
        terminal.error(f"{shown}: can't be written: {error.strerror}")
        return 2
    total = new.counts.total()
    gone = f", {len(outcome.stale):,} removed" if prune else ""
    noun = "finding" if total == 1 else "findings"
    terminal.Output().text([f"{shown}: {total:,} {noun}{gone}.\n"])
    return 0


def write(path: str, text: str) -> None:
    """Replace a file in one step: nobody ever sees half of it."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.replace(temporary, path)
    except OSError:
        if os.path.lexists(temporary):
            os.unlink(temporary)
        raise
