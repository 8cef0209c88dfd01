"""The rules' pages, and the reference that holds them all.

`python -m aiter_lint.rules.reference` writes `lint_rules.md` into the current directory."""

from __future__ import annotations

import re

from aiter_lint.rules.registry import rules
from aiter_lint.rules.rule import EXAMPLE_HEAD, Rule

FILE = "lint_rules.md"

_FIXES = {"always": "fixable", "sometimes": "often fixable", "none": "no fix"}
_INTRODUCTION = f"""\
# Rules

Generated from the rules by `make docs`. `aiter-lint explain RULE` prints one page. Rules are
selected and ignored by code, by name, or by the beginning of a code (`AIT2`).

An *error* breaks a launch, or makes a name lie; a *warning* deserves a look; *advice* is hidden
unless it is asked for: by `--min-severity advice`, or by the rule's name.

Examples without a file name are one module that begins with:

```python
{EXAMPLE_HEAD.strip()}
```
"""


def page(rule: Rule) -> str:
    """The page of a rule, as Markdown."""
    summary, _, body = rule.page.strip().partition("\n\n")
    state = "" if rule.default else ", off by default"
    text = f"# {rule.code} {rule.name}\n\n*{rule.severity.value}, {_FIXES[rule.fix]}{state}*\n\n"
    text += f"{summary}\n\n{_spaced(body)}\n"
    text = _insert(text, "Example", rule.bad[0])
    return _insert(text, "Use instead", rule.good[0])


def reference() -> str:
    """The whole reference."""
    rows = ["| code | name | severity | what it reports | fix |", "|---|---|---|---|---|"]
    for rule in rules():
        off = "" if rule.default else ", off"
        rows.append(
            f"| [{rule.code}](#{rule.code.lower()}-{rule.name}) | {rule.name} "
            f"| {rule.severity.value}{off} | {rule.summary} | {_FIXES[rule.fix]} |"
        )
    return "\n".join([_INTRODUCTION, *rows, "", *(_demoted(page(rule)) for rule in rules())])


def snippet(example: str) -> str:
    """An example as a page shows it: without its reason, and with findings as plain comments."""
    lines = example.strip().splitlines()
    while re.match(r"# (why|setting): ", lines[0]):
        del lines[0]
    text = "\n".join(lines).strip("\n")
    return re.sub(r"  # expect: ([\w, -]+)$", r"  # \1", text, flags=re.M)


def main() -> None:
    """Write the reference."""
    with open(FILE, "w", encoding="utf-8", newline="\n") as file:
        file.write(reference())


def _spaced(body: str) -> str:
    """An empty line below each heading, as Markdown wants it."""
    return re.sub(r"(?m)^(## .*)\n(?=\S)", r"\1\n\n", body.strip())


def _demoted(text: str) -> str:
    """The page with all headings one level down."""
    parts = text.split("```")  # every second part is code
    parts[::2] = [re.sub(r"(?m)^#", "##", part) for part in parts[::2]]
    return "```".join(parts)


def _insert(text: str, heading: str, example: str) -> str:
    """The page with the example at the end of a section."""
    start = text.index(f"\n## {heading}\n") + 1
    end = text.find("\n## ", start)
    section = text[start:end].rstrip("\n")
    return f"{text[:start]}{section}\n\n```python\n{snippet(example)}\n```\n{text[end:]}"


if __name__ == "__main__":
    main()
