"""The last line that a person reads: how much was found, hidden, fixable."""

from __future__ import annotations

from collections.abc import Mapping

from aiter_lint.finding import Applicability, Severity
from aiter_lint.report.report import Report


def summary(report: Report) -> str:
    """One line without its end, for formats that people read."""
    shown = by_severity({severity: report.count(severity) for severity in Severity})
    sentences = [f"{counted(report.files, 'file', 'files')} checked: {shown or 'nothing found'}."]
    if report.fixed:
        sentences.append(f"{report.fixed} fixed.")
    safe, unsafe = report.fixable(Applicability.SAFE), report.fixable(Applicability.UNSAFE)
    if report.unplanned:
        sentences.append(f"Up to {safe + unsafe + report.unplanned} fixable by `aiter-lint fix`.")
    elif safe and unsafe:
        sentences.append(f"{safe} fixable by `aiter-lint fix`, {unsafe} more by `--unsafe-fixes`.")
    elif safe:
        sentences.append(f"{safe} fixable by `aiter-lint fix`.")
    elif unsafe:
        sentences.append(f"{unsafe} fixable by `aiter-lint fix --unsafe-fixes`.")
    hidden = [severity for severity in Severity if report.hidden.get(severity)]
    if hidden:
        sentences.append(
            f"Hidden: {by_severity(report.hidden)} (`--min-severity {hidden[0].value}` shows all)."
        )
    if report.baselined:
        sentences.append(f"{report.baselined} passed over by the baseline.")
    if report.stale:
        sentences.append(
            f"The baseline lists {report.stale} that are gone: `aiter-lint baseline --prune`."
        )
    if not report.complete:
        sentences.append("The run is not complete.")
    return " ".join(sentences)


_NOUNS = {
    Severity.ERROR: ("error", "errors"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.ADVICE: ("piece of advice", "pieces of advice"),
}


def by_severity(counts: Mapping[Severity, int]) -> str:
    """`1 error, 2 warnings`, the worst first; empty where all are zero."""
    return ", ".join(
        counted(counts[severity], *nouns)
        for severity, nouns in _NOUNS.items()
        if counts.get(severity)
    )


def counted(number: int, noun: str, plural: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number:,} {noun if number == 1 else plural}"
