"""Runs the rules over a project. A rule that crashes does not stop the others."""

from __future__ import annotations

import os
import traceback
from collections.abc import Iterable
from types import TracebackType
from typing import Any

from aiter_lint.finding import Finding
from aiter_lint.link.project import Project
from aiter_lint.rules.rule import Rule
from aiter_lint.settings import Settings
from aiter_lint.span import Place

TRACEBACKS = "AITER_LINT_TRACEBACK"
"""Set in the environment, it prints the traceback of a crash."""


def check(
    project: Project, rules: Iterable[Rule], settings: Settings
) -> tuple[list[Finding], list[str], frozenset[str]]:
    """The findings of all rules, what went wrong, and the codes of the rules that crashed."""
    findings: list[Finding] = []
    problems: list[str] = []
    crashed = []
    for rule in rules:
        try:
            findings.extend(rule.check(project, settings))
        except Exception as error:
            crashed.append(rule.code)
            where = _file(error.__traceback__)
            problems.append(
                f"rule {rule.code} {rule.name} crashed{f' on {where}' if where else ''}: "
                f"{crash(error)}; the other rules went on"
            )
    return findings, problems, frozenset(crashed)


def crash(error: BaseException) -> str:
    """A crash in one line: what was raised, and where in aiter-lint."""
    if os.environ.get(TRACEBACKS):
        traceback.print_exception(error)
    text = str(error).split("\n", 1)[0][:200]
    frames = traceback.extract_tb(error.__traceback__)
    at = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""
    return type(error).__name__ + (f": {text}" if text else "") + at


def _file(trace: TracebackType | None) -> str | None:
    """The linted file that a rule was at, as its local variables tell; the innermost frame
    that knows is right."""
    found = None
    while trace is not None:
        for value in trace.tb_frame.f_locals.values():
            found = _path_of(value) or found
        trace = trace.tb_next
    return found


def _path_of(value: Any) -> str | None:
    if not type(value).__module__.startswith("aiter_lint."):
        return None
    for name in ("kernel", "launch", "place"):
        inner = getattr(value, name, None)
        if isinstance(inner, Place):
            return inner.path
        place = getattr(inner, "place", None)
        if isinstance(place, Place):
            return place.path
    return value.path if isinstance(value, Place) else None
