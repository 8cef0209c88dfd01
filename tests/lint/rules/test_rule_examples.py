"""Every example of every rule goes through the whole linter, in both dialects: where nothing is
wrong first, then where something is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import case_files
import pytest
from case_files import Case

from aiter_lint.rules.registry import rules
from aiter_lint.rules.rule import EXAMPLE_HEAD, Rule


def examples(kind: str) -> list:
    found = []
    for rule in rules():
        for text in getattr(rule, kind):
            case = case_files.parse(text, head=EXAMPLE_HEAD)
            found.append(pytest.param(rule, case, id=f"{rule.name}: {case.why}"))
    return found


@pytest.fixture(params=["triton", "gluon"])
def dialect(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.mark.parametrize(("rule", "case"), examples("good"))
def test_good_example_is_clean(rule: Rule, case: Case, dialect: str, tmp_path: Path) -> None:
    assert not case.expected
    assert found(rule, case, dialect, tmp_path) == set()


@pytest.mark.parametrize(("rule", "case"), examples("bad"))
def test_bad_example_is_found(rule: Rule, case: Case, dialect: str, tmp_path: Path) -> None:
    assert found(rule, case, dialect, tmp_path) == case.expected


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.name)
def test_some_bad_example_shows_the_rule(rule: Rule) -> None:
    cases = [case_files.parse(text, head=EXAMPLE_HEAD) for text in rule.bad]
    assert any(name == rule.name for case in cases for _, _, name in case.expected)


def found(rule: Rule, case: Case, dialect: str, root: Path) -> set[tuple[str, int, str]]:
    """What the whole linter says of an example; the rule itself is on, whatever its severity."""
    case = replace(
        case if dialect == "triton" else case_files.gluon(case),
        settings=[*case.settings, f'extend-select = ["{rule.name}"]'],
    )
    case_files.write(case, root)
    (root / "names.py").write_text(case_files.NAMES, encoding="utf-8")
    return case_files.places(case_files.lint(root))
