"""Changes as a unified diff, as `git diff` and `patch` read it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

from aiter_lint.fix.apply import Changed
from aiter_lint.fix.document import Document


def unified(changed: Iterable[Changed]) -> Iterator[str]:
    """The diff of each file, line by line, each with its end."""
    for change in changed:
        before, after = Document(change.path, change.before), Document(change.path, change.after)
        for line in difflib.unified_diff(
            _lines(before), _lines(after), f"a/{change.path}", f"b/{change.path}"
        ):
            yield line
            if not line.endswith("\n"):
                yield "\n\\ No newline at end of file\n"


def _lines(document: Document) -> list[str]:
    """The lines with their ends; a lone carriage return ends none, as for `patch`."""
    lines = document.text.split("\n")
    last = lines.pop()
    return [f"{line}\n" for line in lines] + ([last] if last else [])
