"""How rules are found and called."""

from __future__ import annotations

import subprocess
import sys

import pytest

from aiter_lint.rules import registry


def codes(selector: str) -> list[str]:
    return [rule.code for rule in registry.expand(selector)]


def test_rules_come_by_code() -> None:
    every = [rule.code for rule in registry.rules()]
    assert every == sorted(every)


@pytest.mark.parametrize("text", ["AIT201", "unknown-key", "ait201", "Unknown-Key", " AIT201 "])
def test_a_rule_has_a_code_and_a_name(text: str) -> None:
    assert codes(text) == ["AIT201"]
    assert registry.get(text).name == "unknown-key"


@pytest.mark.parametrize(
    ("selector", "first", "last"),
    [("AIT2", "AIT201", "AIT207"), ("AIT10", "AIT101", "AIT108"), ("ait41", "AIT411", "AIT412")],
)
def test_the_beginning_of_a_code_means_several(selector: str, first: str, last: str) -> None:
    some = codes(selector)
    assert (some[0], some[-1]) == (first, last)


@pytest.mark.parametrize("selector", ["ALL", "all", "AIT"])
def test_all_rules(selector: str) -> None:
    assert codes(selector) == [rule.code for rule in registry.rules()]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("uknown-key", "unknown-key"),
        ("unknown_key", "unknown-key"),
        ("missing-reprs", "missing-repr"),
        ("AIT2O1", "AIT201"),
    ],
)
def test_a_near_miss_is_told(text: str, meant: str) -> None:
    with pytest.raises(registry.UnknownRule, match=f'did you mean "{meant}"'):
        registry.expand(text)


@pytest.mark.parametrize("text", ["", "E501", "AIT9", "AIT20x", "*", "no-such-thing-at-all"])
def test_what_means_nothing_is_refused(text: str) -> None:
    with pytest.raises(registry.UnknownRule, match="unknown rule"):
        registry.expand(text)
    assert registry.find(text) is None


def test_names_are_known_without_the_evaluator() -> None:
    """Which rules there are is asked on every run, also where the cache answers."""
    script = (
        "import sys; from aiter_lint.rules.registry import rules; assert rules();"
        "heavy = ('libcst', 'rich', 'click', 'pathspec', 'json', 'difflib',"
        " 'aiter_lint.link.evaluate', 'aiter_lint.read.reader');"
        "print([name for name in heavy if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
