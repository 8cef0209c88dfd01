"""What a format is given, and the one way to call any of them.

A format is a module of this package with `render(report) -> Iterator[str]`: pieces of text that
make up the whole output, lines ends included. Formats load when they are asked for.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Mapping

import msgspec

from aiter_lint.finding import Applicability, Finding, Severity

FORMATS = (
    "full",
    "concise",
    "json",
    "jsonl",
    "sarif",
    "github",
    "gitlab",
    "junit",
    "rdjson",
)


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a run.

    `findings` are those to show, in order. `root` and `cwd` are absolute folders: findings hold
    paths relative to the first, people read paths relative to the second. `text` gives a file's
    text as the findings saw it (`\\n` line ends, no BOM), by its path in the findings; None where
    there is none. `color` is whether escapes for colours may be written."""

    findings: tuple[Finding, ...]
    root: str
    cwd: str
    text: Callable[[str], str | None]
    files: int  # how many were checked
    hidden: Mapping[Severity, int] = {}  # how many were found that are too mild to be shown
    baselined: int = 0  # findings passed over because the baseline lists them
    stale: int = 0  # entries of the baseline that no finding needs any more
    fixed: int = 0  # findings gone because their fix was applied
    unplanned: int = 0  # findings that a fix may exist for: nobody looked
    complete: bool = True  # False where the run is not to be trusted (exit code 2)
    color: bool = False

    def shown(self, path: str) -> str:
        """A finding's path as people read it: relative to `cwd`, with forward slashes."""
        if self.root == self.cwd:
            return path
        full = os.path.join(self.root, path)
        try:
            return os.path.relpath(full, self.cwd).replace(os.sep, "/")
        except ValueError:  # on another drive
            return full.replace(os.sep, "/")

    def count(self, severity: Severity) -> int:
        """How many findings of that severity are shown."""
        return sum(finding.severity is severity for finding in self.findings)

    def fixable(self, applicability: Applicability) -> int:
        """How many shown findings have a fix that may go that far."""
        return sum(
            finding.fix is not None and finding.fix.applicability is applicability
            for finding in self.findings
        )


def render(format: str, report: Report) -> Iterator[str]:
    """The report in one of `FORMATS`, piece by piece."""
    if format not in FORMATS:
        raise ValueError(f"unknown output format {format!r}: choose from {', '.join(FORMATS)}")
    module = importlib.import_module(f"aiter_lint.report.{format}")
    pieces: Iterator[str] = module.render(report)
    return pieces
