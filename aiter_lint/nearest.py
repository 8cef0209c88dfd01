"""What was meant: the choice that a misspelt word is nearest to."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that `word` most likely stands for, None where none is near. Case, `-` and `_`
    make no difference; of equally near choices the first one wins."""
    given = _fold(word)
    if not given:
        return None
    best, best_score = None, 0
    for choice in choices:
        folded = _fold(choice)
        room = max(len(given), len(folded)) // 3  # edits after which it is another word
        if abs(len(given) - len(folded)) > room:
            continue
        edits = _edits(given, folded, room)
        if edits <= room and (best is None or edits < best_score):
            best, best_score = choice, edits
    return best


def _fold(word: str) -> str:
    return word[:200].lower().replace("-", "").replace("_", "")


def _edits(a: str, b: str, limit: int) -> int:
    """Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`; some
    number above `limit` where it takes more."""
    second, last = [], list(range(len(b) + 1))  # the two rows above the one in work
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            edits = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                edits = min(edits, second[j - 2] + 1)
            row.append(edits)
        if min(row) > limit:
            return limit + 1
        second, last = last, row
    return last[-1]
