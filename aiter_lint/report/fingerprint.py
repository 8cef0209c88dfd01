"""What makes a finding the same one in the next run, although lines moved."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator

from aiter_lint.finding import Finding
from aiter_lint.report.lines import Lines
from aiter_lint.report.report import Report


def fingerprints(report: Report) -> Iterator[tuple[Finding, str]]:
    """Each finding with a hash of its rule, file, kernel, key and source line, white space
    folded; line numbers are left out. Findings that agree in all of these are counted."""
    seen: Counter[tuple[str, ...]] = Counter()
    lines = Lines(report.text)
    for finding in report.findings:
        path = finding.place.path
        traits = (
            finding.code,
            path,
            finding.kernel or "",
            finding.key or "",
            " ".join(lines.line(path, finding.place.span.line).split()),
        )
        seen[traits] += 1
        text = "\0".join([*traits, str(seen[traits])])
        yield finding, hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
