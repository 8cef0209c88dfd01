"""The JSON that the documentation promises: these fields, in this order."""

import json

from report_samples import ADVICE, ALL, FLOAT_VALUE, report_of

from aiter_lint.report.report import render

FIELDS = [
    "code",
    "rule",
    "severity",
    "message",
    "path",
    "line",
    "column",
    "end_line",
    "end_column",
    "kernel",
    "key",
    "related",
    "fix",
]


def findings(*shown):
    return json.loads("".join(render("json", report_of(*shown))))


def test_fields_are_those_promised():
    for finding in findings(*ALL):
        assert list(finding) == FIELDS
        for related in finding["related"]:
            assert list(related) == ["path", "line", "column", "message"]


def test_without_a_fix_it_is_null():
    assert findings(ADVICE)[0]["fix"] is None


def test_a_fix_says_how_far_it_may_go_and_what_it_replaces():
    assert findings(FLOAT_VALUE)[0]["fix"] == {
        "applicability": "unsafe",
        "title": "Remove `EPS` from the keys",
        "edits": [
            {
                "path": "pkg/k.py",
                "start_line": 5,
                "start_column": 41,
                "end_line": 5,
                "end_column": 48,
                "content": "",
            }
        ],
    }


def test_nothing_found_is_an_empty_array():
    assert findings() == []


def test_lines_hold_the_same_objects():
    lines = "".join(render("jsonl", report_of(*ALL))).splitlines()
    assert [json.loads(line) for line in lines] == findings(*ALL)
