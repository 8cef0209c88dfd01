"""Every bad example of every rule with a fix, fixed: the finding goes, or says why it stays."""

from __future__ import annotations

import re

import pytest

from aiter_lint.rules import registry
from aiter_lint.rules.rule import EXAMPLE_HEAD, Rule
from tests.lint.fix.spec import fixed, formatted

FIXABLE = [rule for rule in registry.rules() if rule.fix != "none"]
OTHERS = [rule for rule in registry.rules() if rule.fix == "none"]


def files_of(example: str) -> dict[str, str]:
    """The files of an example, without its marks."""
    text = re.sub(r"[ \t]*# expect: .*$", "", example, flags=re.M)
    parts = re.split(r"^# --- (\S+)\n", text, flags=re.M)
    if len(parts) > 1:
        return dict(zip(parts[1::2], parts[2::2]))
    return {"m.py": EXAMPLE_HEAD + text}


def examples(rules: list[Rule], kind: str) -> list:
    return [
        pytest.param(rule, text, id=f"{rule.name}-{number}")
        for rule in rules
        for number, text in enumerate(getattr(rule, kind))
    ]


@pytest.mark.parametrize(("rule", "example"), examples(FIXABLE, "bad"))
def test_a_bad_example_is_fixed(rule: Rule, example: str) -> None:
    before = {n: t for n, t in files_of(example).items() if n.endswith(".py")}
    select = () if rule.code.startswith("AIT00") else (rule.name,)
    after, outcome = fixed(files_of(example), unsafe=True, select=select)
    assert not outcome.refused
    for finding in outcome.left:
        if finding.code == rule.code:
            assert rule.fix == "sometimes"
            assert finding.fix is None or finding.fix.applicability == "display"
    for name, text in before.items():
        assert formatted(text) != text or formatted(after[name].decode()) == after[name].decode()


@pytest.mark.parametrize("rule", FIXABLE, ids=lambda rule: rule.name)
def test_some_bad_example_shows_the_fix(rule: Rule) -> None:
    select = () if rule.code.startswith("AIT00") else (rule.name,)
    applied = [
        finding.code
        for example in rule.bad
        for finding in fixed(files_of(example), unsafe=True, select=select)[1].applied
    ]
    assert rule.code in applied


@pytest.mark.parametrize(("rule", "example"), examples(FIXABLE, "good") + examples(OTHERS, "good"))
def test_a_good_example_stays(rule: Rule, example: str) -> None:
    _, outcome = fixed(files_of(example), unsafe=True, select=(rule.name,))
    assert not outcome.changed
