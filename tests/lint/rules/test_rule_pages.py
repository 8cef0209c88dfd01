"""Pages, codes and the reference agree with each other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aiter_lint.finding import Severity
from aiter_lint.rules import reference
from aiter_lint.rules.registry import rules
from aiter_lint.rules.rule import EXAMPLE_HEAD, HEADINGS, Rule
from aiter_lint.settings import Settings

ROOT = Path(__file__).parents[3]
RULES = ROOT / "aiter_lint" / "rules"

every_rule = pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.name)


def test_reference_is_up_to_date() -> None:
    written = (ROOT / reference.FILE).read_text(encoding="utf-8")
    assert written == reference.reference(), "run `make docs`"


def test_reference_has_all_rules_and_no_others() -> None:
    written = (ROOT / reference.FILE).read_text(encoding="utf-8")
    headings = re.findall(r"(?m)^## (AIT\d{3}) ([a-z-]+)$", written)
    assert headings == [(rule.code, rule.name) for rule in rules()]


def test_one_file_for_each_rule() -> None:
    declared = {
        path.stem.replace("_", "-")
        for path in RULES.glob("*.py")
        if re.search(r"(?m)^META = Meta\($", path.read_text(encoding="utf-8"))
    }
    assert declared == {rule.name for rule in rules()}


def test_codes_and_names_are_unique() -> None:
    assert len({rule.code for rule in rules()}) == len(rules())
    assert len({rule.name for rule in rules()}) == len(rules())


def test_the_rules_of_the_contract_are_there() -> None:
    codes = {rule.code for rule in rules()}
    due = [*range(1, 4), *range(101, 109), *range(201, 208), *range(301, 306), *range(401, 407)]
    assert {f"AIT{number:03}" for number in [*due, 411, 412, 501, 502]} <= codes


def test_only_layout_rules_are_off_by_default() -> None:
    assert {rule.code for rule in rules() if not rule.default} == {"AIT411", "AIT412"}


@every_rule
def test_code_and_name_have_the_right_form(rule: Rule) -> None:
    assert re.fullmatch(r"AIT\d{3}", rule.code)
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
    assert rule.fix in ("always", "sometimes", "none")
    assert isinstance(rule.severity, Severity)
    assert not rule.summary.endswith(".") and len(rule.summary) < 100


@every_rule
def test_page_has_the_fixed_headings(rule: Rule) -> None:
    assert tuple(re.findall(r"(?m)^## (.*)$", rule.page)) == HEADINGS
    assert rule.page.startswith("Reports ")


@every_rule
def test_no_section_is_empty(rule: Rule) -> None:
    sections = re.split(r"(?m)^## .*$", reference.page(rule))[1:]
    assert all(section.strip() for section in sections)


@every_rule
def test_page_shows_the_first_examples(rule: Rule) -> None:
    page = reference.page(rule)
    bad, good = (reference.snippet(text) for text in (rule.bad[0], rule.good[0]))
    example, _, rest = page.partition("## Use instead")
    assert bad in example.partition("## Example")[2]
    assert good in rest
    assert "# why:" not in page and "# expect:" not in page


@every_rule
def test_examples_parse(rule: Rule) -> None:
    for text in (*rule.good, *(() if rule.name == "invalid-syntax" else rule.bad)):
        for part in re.split(r"(?m)^# --- \S+$", text):
            compile(EXAMPLE_HEAD + part, rule.name, "exec", dont_inherit=True)


@every_rule
def test_fix_safety_says_whether_there_is_a_fix(rule: Rule) -> None:
    text = re.split(r"(?m)^## Fix safety$", rule.page)[1].split("##")[0].strip()
    assert text.startswith("There is no fix") == (rule.fix == "none")


@every_rule
def test_options_are_settings_and_listed_on_the_page(rule: Rule) -> None:
    text = re.split(r"(?m)^## Options$", rule.page)[1].split("##")[0]
    listed = re.findall(r"(?m)^- `([a-z-]+)`$", text)
    assert tuple(listed) == rule.options
    fields = {name.replace("_", "-") for name in Settings.__struct_fields__}
    assert set(listed) <= fields
    assert listed or text.strip() == "None."
