"""`rules` and `explain`: what aiter-lint can find."""

from __future__ import annotations

import json
from typing import Any

from aiter_lint.cli.terminal import Output
from aiter_lint.rules import registry
from aiter_lint.rules.rule import Rule
from aiter_lint.settings import SettingsError


def rules(format_: str) -> int:
    """Print all rules, by code."""
    found = registry.rules()
    if format_ == "json":
        Output().data([json.dumps([_record(rule) for rule in found], indent=2) + "\n"])
        return 0
    width = max(len(rule.name) for rule in found)
    Output().text(
        f"{rule.code}  {rule.name:{width}}  {_severity(rule):14}  {rule.summary}\n"
        for rule in found
    )
    return 0


def explain(text: str, format_: str) -> int:
    """Print one rule's page."""
    try:
        rule = registry.get(text)
    except registry.UnknownRule as error:
        raise SettingsError(str(error)) from None
    if format_ == "json":
        record = _record(rule) | {"page": page(rule)}
        Output().data([json.dumps(record, indent=2, ensure_ascii=False) + "\n"])
    else:
        Output().text([page(rule)])
    return 0


def page(rule: Rule) -> str:
    """The rule's page with its examples, as Markdown."""
    from aiter_lint.rules.reference import page as made

    return made(rule).rstrip("\n") + "\n"


def _severity(rule: Rule) -> str:
    return rule.severity.value + ("" if rule.default else ", off")


def _record(rule: Rule) -> dict[str, Any]:
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity.value,
        "default": rule.default,
        "fix": rule.fix,
        "summary": rule.summary,
        "options": list(rule.options),
    }
