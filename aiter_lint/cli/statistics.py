"""`--statistics`: what was found by rule, and what of the project is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from aiter_lint.pipeline import Outcome


def statistics(outcome: Outcome) -> str:
    """The statistics of a run, as lines."""
    return "\n".join(_lines(outcome)) + "\n"


def _lines(outcome: Outcome) -> Iterator[str]:
    rules = Counter((f.code, f.rule) for f in outcome.findings)
    yield "Findings by rule:"
    for (code, rule), count in sorted(rules.items(), key=lambda item: (-item[1], item[0])):
        yield f"  {count:6,}  {code} {rule}"
    if not rules:
        yield "       0"
    hidden = [f"{n:,} {s.value} hidden" for s, n in sorted(outcome.hidden.items()) if n]
    silenced = f"{outcome.ignored:,} ignored, {outcome.baselined:,} in the baseline"
    yield f"  {', '.join([*hidden, silenced])}"
    kernels = Counter(kernel.role for kernel in outcome.project.kernels)
    roles = ", ".join(f"{kernels[role]:,} {role}" for role in _ROLES if kernels[role])
    yield f"Kernels: {sum(kernels.values()):,}" + (f" ({roles})" if roles else "")
    known = outcome.project.coverage()
    unbound = known.candidates - known.bound - known.other
    yield (
        f"Launch candidates: {known.candidates:,}, of which {known.bound:,} are bound to kernels, "
        f"{known.other:,} are something else, {unbound:,} are unknown"
        f"{_share(known.bound + known.other, known.candidates)}"
    )
    yield from _reasons(known.unbound)
    yield (
        f"Key values: {known.pairs:,} at launches, of which {known.resolved:,} are resolved"
        f"{_share(known.resolved, known.pairs)}"
    )
    yield from _reasons(known.reasons)


_ROLES = ("launched", "both", "device", "unreferenced")


def _share(part: int, whole: int) -> str:
    return f" ({100 * part / whole:.1f} % known)" if whole else ""


def _reasons(reasons: Mapping[str, int]) -> Iterator[str]:
    for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0])):
        yield f"  {count:6,}  {reason}"
