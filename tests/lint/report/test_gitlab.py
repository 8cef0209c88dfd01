"""GitLab's code quality report: the fields that GitLab requires, and fingerprints that last."""

import json

import msgspec
from report_samples import ALL, FILES, UNKNOWN_KEY, report_of

from aiter_lint.report.report import render
from aiter_lint.span import Place, Span


def issues(*findings, **more):
    return json.loads("".join(render("gitlab", report_of(*findings, **more))))


def moved(finding, lines):
    span = finding.place.span
    there = Span(span.line + lines, span.column, span.end_line + lines, span.end_column)
    return msgspec.structs.replace(finding, place=Place(finding.place.path, there))


def test_issues_have_what_gitlab_requires():
    for issue in issues(*ALL):
        assert set(issue) == {"description", "check_name", "fingerprint", "severity", "location"}
        assert issue["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert isinstance(issue["location"]["lines"]["begin"], int)
        assert not issue["location"]["path"].startswith(("./", "/"))
        assert all(isinstance(issue[name], str) for name in ("description", "check_name"))


def test_fingerprints_differ_even_where_findings_look_the_same():
    twice = issues(UNKNOWN_KEY, UNKNOWN_KEY, *ALL[1:])
    assert len({issue["fingerprint"] for issue in twice}) == len(twice)


def test_a_fingerprint_outlives_a_move():
    (before,) = issues(UNKNOWN_KEY)
    below = {path: "\n\n\n" + text for path, text in FILES.items()}
    (after,) = issues(moved(UNKNOWN_KEY, 3), files=below)
    assert after["location"]["lines"]["begin"] == before["location"]["lines"]["begin"] + 3
    assert after["fingerprint"] == before["fingerprint"]


def test_a_fingerprint_changes_with_the_code():
    (before,) = issues(UNKNOWN_KEY)
    other = {path: text.replace("EPS", "SCALE") for path, text in FILES.items()}
    (after,) = issues(UNKNOWN_KEY, files=other)
    assert after["fingerprint"] != before["fingerprint"]


def test_a_fingerprint_does_not_depend_on_where_one_stands():
    assert (
        issues(UNKNOWN_KEY)[0]["fingerprint"]
        == (issues(UNKNOWN_KEY, cwd="/project/pkg")[0]["fingerprint"])
    )
