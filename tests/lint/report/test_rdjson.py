"""The Reviewdog Diagnostic Format, by the comments in its protocol definition."""

import json

import msgspec
import pytest
from apply_edits import replaced
from report_samples import ADVICE, ALL, FILES, FLOAT_VALUE, MISSING_REPR, UNKNOWN_KEY, report_of

from aiter_lint.finding import Applicability, Edit, Fix
from aiter_lint.report.report import render
from aiter_lint.span import Place, Span

# Message type -> field -> its type; from reviewdog.proto.
PROTOCOL = {
    "DiagnosticResult": {"diagnostics": ["Diagnostic"], "source": "Source", "severity": str},
    "Diagnostic": {
        "message": str,
        "location": "Location",
        "severity": str,
        "source": "Source",
        "code": "Code",
        "suggestions": ["Suggestion"],
        "original_output": str,
    },
    "Location": {"path": str, "range": "Range"},
    "Range": {"start": "Position", "end": "Position"},
    "Position": {"line": int, "column": int},
    "Suggestion": {"range": "Range", "text": str},
    "Source": {"name": str, "url": str},
    "Code": {"value": str, "url": str},
}


def rdjson(*findings, **more):
    return json.loads("".join(render("rdjson", report_of(*findings, **more))))


def check(value, kind):
    if isinstance(kind, type):
        assert type(value) is kind
    elif isinstance(kind, list):
        for item in value:
            check(item, kind[0])
    else:
        assert set(value) <= set(PROTOCOL[kind])
        for name, item in value.items():
            check(item, PROTOCOL[kind][name])


@pytest.mark.parametrize("findings", [(), ALL, (ADVICE,)])
def test_messages_have_the_protocols_fields_and_types(findings):
    result = rdjson(*findings)
    check(result, "DiagnosticResult")
    for diagnostic in result["diagnostics"]:
        assert diagnostic["severity"] in ("ERROR", "WARNING", "INFO")
        assert {"message", "location"} <= set(diagnostic)


def applied(text, suggestion):
    start, end = suggestion["range"]["start"], suggestion["range"]["end"]
    return replaced(
        text,
        [((start["line"], start["column"]), (end["line"], end["column"]), suggestion["text"])],
    )


@pytest.mark.parametrize("finding", [UNKNOWN_KEY, MISSING_REPR])
def test_a_suggestion_is_the_whole_fix(finding):
    (diagnostic,) = rdjson(finding)["diagnostics"]
    (suggestion,) = diagnostic["suggestions"]
    edits = [
        ((e.span.line, e.span.column), (e.span.end_line, e.span.end_column), e.content)
        for e in finding.fix.edits
    ]
    text = FILES["pkg/k.py"]
    assert applied(text, suggestion) == replaced(text, edits) != text


@pytest.mark.parametrize(
    "finding",
    [
        pytest.param(FLOAT_VALUE, id="the-fix-is-in-another-file"),
        pytest.param(ADVICE, id="no-fix"),
        pytest.param(
            msgspec.structs.replace(
                UNKNOWN_KEY,
                fix=Fix(Applicability.DISPLAY, "Judge", UNKNOWN_KEY.fix.edits),
            ),
            id="for-a-person-to-decide",
        ),
        pytest.param(
            msgspec.structs.replace(
                UNKNOWN_KEY,
                place=Place("pkg/long.py", Span(1, 1, 1, 2)),
                fix=Fix(
                    Applicability.SAFE,
                    "Far apart",
                    (
                        Edit("pkg/long.py", Span(1, 1, 1, 2), "y"),
                        Edit("pkg/long.py", Span(90, 1, 90, 2), "y"),
                    ),
                ),
            ),
            id="too-tall",
        ),
    ],
)
def test_no_suggestion(finding):
    files = {**FILES, "pkg/long.py": "x\n" * 100}
    (diagnostic,) = rdjson(finding, files=files)["diagnostics"]
    assert diagnostic["suggestions"] == []


def test_columns_count_bytes():
    line = 'é = "𐐀" + EPS'
    at = line.index("EPS")
    finding = msgspec.structs.replace(ADVICE, place=Place("a.py", Span(1, at + 1, 1, at + 4)))
    (diagnostic,) = rdjson(finding, files={"a.py": line + "\n"})["diagnostics"]
    start = len(line[:at].encode()) + 1
    assert diagnostic["location"]["range"] == {
        "start": {"line": 1, "column": start},
        "end": {"line": 1, "column": start + 3},
    }


def test_the_way_back_to_the_origin_is_in_the_message():
    (diagnostic,) = rdjson(FLOAT_VALUE)["diagnostics"]
    assert "\npkg/run.py:5: `scale` is `1.0 / fp8_max` here\n" in diagnostic["message"]
