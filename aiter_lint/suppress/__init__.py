"""Stage five: which findings are not told, because somebody decided so."""

from aiter_lint.suppress.baseline import Baseline, baseline_of, load_baseline
from aiter_lint.suppress.comments import suppress
from aiter_lint.suppress.since import Changes, changes_since

__all__ = [
    "Baseline",
    "Changes",
    "baseline_of",
    "changes_since",
    "load_baseline",
    "suppress",
]
