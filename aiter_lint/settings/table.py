"""The table of settings in README.md, made from the declaration.

`python -m aiter_lint.settings.table` writes it into the README of the current directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from aiter_lint.settings.schema import schema

FILE = "README.md"
BEGIN, END = "<!-- settings: begin -->\n", "<!-- settings: end -->\n"


def table() -> str:
    """A row a setting: its name, its default, what it means."""
    rows = ["| setting | default | meaning |", "|---|---|---|"]
    for name, declared in schema()["properties"].items():
        meaning = declared["description"].replace("|", "\\|")
        rows.append(f"| `{name}` | {_default(declared)} | {meaning} |")
    return "\n".join(rows) + "\n"


def updated(readme: str) -> str:
    """The README with the table as it should be; ValueError where its marks are missing."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{FILE} has no {BEGIN.strip()} ... {END.strip()}")
    return f"{before}{begin}\n{table()}\n{end}{after}"


def _default(declared: dict[str, Any]) -> str:
    value = declared.get("default")
    if value is None or value == [] or value == {}:
        return ""
    return f"`{json.dumps(value)}`"


if __name__ == "__main__":
    path = Path(FILE)
    path.write_text(updated(path.read_text(encoding="utf-8")), encoding="utf-8")
