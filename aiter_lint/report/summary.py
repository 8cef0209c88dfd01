"""The last line that a person reads: how much was found, hidden, fixable."""

from __future__ import annotations

from aiter_lint.finding import Applicability, Severity
from aiter_lint.report.report import Report


def summary(report: Report) -> str:
    """One line without its end, for formats that people read."""
    counts = [
        counted(report.count(severity), noun, plural)
        for severity, noun, plural in (
            (Severity.ERROR, "error", "errors"),
            (Severity.WARNING, "warning", "warnings"),
            (Severity.ADVICE, "piece of advice", "pieces of advice"),
        )
        if report.count(severity)
    ]
    files = counted(report.files, "file", "files")
    sentences = [f"{files} checked: {', '.join(counts) or 'nothing found'}."]
    if report.fixed:
        sentences.append(f"{report.fixed} fixed.")
    safe, unsafe = report.fixable(Applicability.SAFE), report.fixable(Applicability.UNSAFE)
    if safe and unsafe:
        sentences.append(f"{safe} fixable by `aiter-lint fix`, {unsafe} more by `--unsafe-fixes`.")
    elif safe:
        sentences.append(f"{safe} fixable by `aiter-lint fix`.")
    elif unsafe:
        sentences.append(f"{unsafe} fixable by `aiter-lint fix --unsafe-fixes`.")
    if report.hidden:
        hidden = counted(report.hidden, "piece of advice", "pieces of advice")
        sentences.append(f"{hidden} hidden (`--min-severity advice` shows it).")
    if report.baselined:
        sentences.append(f"{report.baselined} passed over by the baseline.")
    if not report.complete:
        sentences.append("The run is not complete.")
    return " ".join(sentences)


def counted(number: int, noun: str, plural: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number:,} {noun if number == 1 else plural}"
