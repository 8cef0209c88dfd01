"""What a run found, and whether it is to be trusted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from aiter_lint.discover import Tree
from aiter_lint.finding import Finding, Severity
from aiter_lint.link.project import Project
from aiter_lint.pipeline.selection import Selection
from aiter_lint.read.sources import Sources
from aiter_lint.suppress.baseline import Entry


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a run; the same for any order of PATHS and any number of processes.

    `findings` are those to show, by path and place. `hidden` counts those below the least
    severity, `ignored` those that comments and per-file-ignores silenced, `baselined` those that
    the baseline lists; `stale` are its entries that nothing needs any more. `problems` are why
    the run is not to be trusted, one line each; `notes` are what somebody may want to know.
    `unplanned` counts the findings that have a repair for which no fix was planned."""

    findings: tuple[Finding, ...]
    files: int
    tree: Tree
    sources: Sources
    project: Project
    selection: Selection
    hidden: Mapping[Severity, int] = field(default_factory=dict)
    ignored: int = 0
    baselined: int = 0
    stale: Mapping[Entry, int] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unplanned: int = 0

    def fails(self, least: Severity | None) -> bool:
        """Whether a finding of that severity (by default: warning) or worse is shown, or the
        baseline is out of date."""
        rank = (least or Severity.WARNING).rank
        return bool(self.stale) or any(f.severity.rank >= rank for f in self.findings)
