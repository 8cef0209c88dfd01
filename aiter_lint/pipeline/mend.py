"""A run that fixes: lint, edit in memory, lint again, until nothing is left to do."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from aiter_lint.fix import Fixed, fix_all
from aiter_lint.pipeline.outcome import Outcome
from aiter_lint.pipeline.stages import Request, identity, judge, read_project, reread
from aiter_lint.read.files import FactsOf


@dataclass(frozen=True, slots=True)
class Mended:
    """The outcome after the fixes, and what they change; nothing is written. `fixed` is None
    where the run was not to be trusted: then nothing may be changed."""

    outcome: Outcome
    fixed: Fixed | None


def mend(request: Request, facts_of: FactsOf | None = None) -> Mended:
    """Fix what the request reports, as far as its settings allow."""
    linked = read_project(request, facts_of)
    first = judge(request, linked)
    linked.keep()
    if first.problems:
        return Mended(first, None)
    again = request
    if request.changes is not None:
        told = frozenset(identity(finding) for finding in first.findings)
        again = dataclasses.replace(request, changes=None, only=told)

    def relint(overlay: Mapping[str, bytes]) -> Outcome:
        changed = dataclasses.replace(again, overlay={**request.overlay, **overlay})
        return judge(changed, reread(changed, linked, facts_of))

    fixed = fix_all(relint, unsafe=request.settings.unsafe_fixes, first=first)
    outcome = fixed.linted
    assert isinstance(outcome, Outcome)
    if outcome.problems:  # a rule that crashes on what a fix made of the code, say
        return Mended(dataclasses.replace(first, problems=outcome.problems), None)
    return Mended(outcome, fixed)
