"""`fix`, `check --fix` and `check --diff`: what fixes make of the files."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from aiter_lint.cli import terminal
from aiter_lint.cli.check import requested, tell
from aiter_lint.cli.project import Invocation, display
from aiter_lint.fix import Fixed, unified, write_all
from aiter_lint.pipeline.mend import Mended, mend
from aiter_lint.settings import SettingsError


def fix(understood: Invocation, parameters: Mapping[str, Any]) -> int:
    """Fix what can be fixed - in the files, on standard output, or as a diff - and tell the
    rest. Gives the exit code."""
    request, progress = requested(understood, parameters)
    try:
        mended = mend(request)
    finally:
        if progress is not None:
            progress.close()
    if mended.fixed is None:
        code = tell(understood, mended.outcome)
        terminal.error("nothing was fixed, because the run is not complete")
        return code
    if parameters["diff"]:
        return _show(understood, mended, mended.fixed)
    if request.overlay:
        return _print(understood, mended, mended.fixed, request.overlay)
    problems = write_all(understood.location.root, mended.fixed.changed)
    _tell_refused(understood, mended.fixed)
    code = tell(understood, mended.outcome, fixed=len(mended.fixed.applied), problems=problems)
    return code or _changed(understood, mended.fixed)


def _changed(understood: Invocation, fixed: Fixed) -> int:
    return int(bool(fixed.changed) and understood.settings.exit_non_zero_on_fix)


def _show(understood: Invocation, mended: Mended, fixed: Fixed) -> int:
    """The diff. It fails like the findings it would take away, and like those it would leave."""
    settings = understood.settings
    color = terminal.wants_color(settings.color, sys.stdout)
    problems = terminal.write(
        _painted(unified(fixed.changed), color), settings.output_file, data=False
    )
    _tell_refused(understood, fixed)
    left = len(mended.outcome.findings)
    terminal.note(
        f"{_counted(len(fixed.changed), 'file')} would change, "
        f"{_counted(len(fixed.applied), 'finding')} would go, {left:,} would stay"
    )
    problems += mended.outcome.problems
    for problem in problems:
        terminal.error(problem)
    if problems:
        return 2
    failing = bool(fixed.changed) or mended.outcome.fails(settings.fail_on)
    return int(failing and not settings.exit_zero)


def _print(understood: Invocation, mended: Mended, fixed: Fixed, given: Mapping[str, bytes]) -> int:
    """The fixed content of standard input; findings go to standard error."""
    (path, data), *_ = given.items()
    others = [change.path for change in fixed.changed if change.path != path]
    if others:
        raise SettingsError(
            f"{display(understood.location, path)}: its fixes change "
            f"{display(understood.location, others[0])} too: run `aiter-lint fix` on the file"
        )
    for change in fixed.changed:
        data = change.after
    terminal.Output().raw(data)
    _tell_refused(understood, fixed)
    code = tell(understood, mended.outcome, fixed=len(fixed.applied), on_stderr=True)
    return code or _changed(understood, fixed)


def _tell_refused(understood: Invocation, fixed: Fixed) -> None:
    for refusal in fixed.refused:
        terminal.note(
            f"{display(understood.location, refusal.path)}: not changed: {refusal.reason}"
        )


def _painted(lines: Iterable[str], color: bool) -> Iterator[str]:
    from aiter_lint.report.style import Style

    style = Style(color)
    for line in lines:
        end = "\n" if line.endswith("\n") else ""
        text = line.removesuffix("\n")
        kind = None
        if text.startswith(("--- ", "+++ ")):
            kind = "bold"
        elif text.startswith("@@ "):
            kind = "dim"
        elif text.startswith("+"):
            kind = "added"
        elif text.startswith("-"):
            kind = "removed"
        yield (style.paint(text, kind) if kind else text) + end


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
