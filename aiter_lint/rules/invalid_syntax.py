"""Reports files that can't be decoded or parsed.

## What it does
Reports a file whose bytes are no text in its declared encoding, or no Python. Code for a newer
Python than the one that runs is fine, as far as its grammar is known.

## Why is this bad
Nothing in the file is checked, and what other files import from it is unknown.

## Example
Python 2:

## Use instead
Python 3, or an `exclude` in the settings:

## Fix safety
There is no fix.

## Options
- `exclude`

## References
- [Python's grammar](https://docs.python.org/3/reference/grammar.html)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aiter_lint.finding import Finding, Severity
from aiter_lint.rules.rule import Meta
from aiter_lint.span import Place

if TYPE_CHECKING:
    from aiter_lint.link.project import Project
    from aiter_lint.settings import Settings

META = Meta(
    code="AIT003",
    name="invalid-syntax",
    severity=Severity.ERROR,
    summary="a file that can't be decoded or parsed",
    options=("exclude",),
)


def check(project: Project, settings: Settings) -> Iterator[Finding]:
    for path, facts in project.files.items():
        if facts.fault is not None:
            yield META.finding(
                Place(path, facts.fault.span), f"{facts.fault.message}; nothing in it is checked"
            )


GOOD = (
    """\
# why: Python 3
# --- k.py
def show(x):
    print(x)
""",
)

BAD = (
    """\
# why: Python 2
# --- k.py
def show(x):
    print x  # expect: invalid-syntax
""",
)
