"""Full output: the right line, the mark under the right characters, the fix as a diff."""

import time

import msgspec
import pytest
from report_samples import ADVICE, FLOAT_VALUE, MISSING_REPR, UNKNOWN_KEY, UNUSED, report_of

from aiter_lint.finding import Severity
from aiter_lint.report.plain import width
from aiter_lint.report.report import render
from aiter_lint.span import Place, Span


def full(report):
    return "".join(render("full", report))


def marked(line: str, span: Span) -> tuple[str, str]:
    """The source line and the mark below it, as full output shows them."""
    finding = msgspec.structs.replace(ADVICE, place=Place("a.py", span))
    text = full(report_of(finding, files={"a.py": line + "\n"}))
    shown, mark = text.split("\n")[3:5]
    return shown.removeprefix("1 | "), mark.removeprefix("  | ")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        pytest.param("k[(1,)](x)", "k", id="at-the-start"),
        pytest.param("    k[(1,)](x, EPS=scale)", "EPS=scale", id="in-the-middle"),
        pytest.param("\tif a:\tk[(1,)](x)", "k[(1,)](x)", id="after-tabs"),
        pytest.param('名前 = "é" + EPS', "EPS", id="after-wide-characters"),
        pytest.param("e\u0301 = EPS", "EPS", id="after-a-combining-character"),
        pytest.param('"\x1b[31m" + EPS', "EPS", id="after-an-escape"),
    ],
)
def test_the_mark_stands_under_the_word(line, word):
    at = line.index(word)
    shown, mark = marked(line, Span(1, at + 1, 1, at + 1 + len(word)))
    before = len(mark) - len(mark.lstrip())
    assert mark.strip() == "^" * width(word)
    assert before == width(shown[: shown.index(word)])


def test_a_finding_over_several_lines_marks_the_first_to_its_end():
    shown, mark = marked("k[(1,)](", Span(1, 1, 3, 2))
    assert (shown, mark) == ("k[(1,)](", "^^^^^^^^")


def test_an_empty_span_still_has_a_mark():
    assert marked("abc", Span(1, 2, 1, 2)) == ("abc", " ^")


def test_of_a_very_long_line_the_part_around_the_finding_is_shown():
    line = "x = [" + "1, " * 500_000 + "EPS, " + "2, " * 500_000 + "]"
    at = line.index("EPS")
    shown, mark = marked(line, Span(1, at + 1, 1, at + 4))
    assert shown.startswith("...") and shown.endswith("...")
    assert len(shown) < 200
    assert shown[mark.index("^") :].startswith("EPS")
    assert mark.strip() == "^^^"


def test_a_file_that_is_gone_costs_the_excerpt_alone():
    text = full(report_of(UNKNOWN_KEY, files={}))
    assert " --> pkg/k.py:5:50\n" in text
    assert "= fix: Remove `BLCK` from the keys\n\n" in text


def test_related_places_tell_the_way_back_to_the_origin_in_order():
    text = full(report_of(FLOAT_VALUE))
    stations = ["pkg/run.py:6:25", "pkg/run.py:5:13: `scale` is", "pkg/k.py:5:43: `EPS` is listed"]
    assert sorted(stations, key=text.index) == stations
    assert "5 |     scale = 1.0 / fp8_max\n  |             -------------\n" in text


def test_a_fix_that_inserts_lines_shows_them_added():
    text = full(report_of(MISSING_REPR))
    assert '+ _bare_repr = make_kernel_repr("bare", ["BLOCK"])' in text
    assert "- @triton.jit\n" in text
    assert "+ @triton.jit(repr=_bare_repr)\n" in text


def test_a_fix_in_another_file_names_it():
    assert "@ pkg/k.py:5\n" in full(report_of(FLOAT_VALUE))


def test_edits_that_do_not_fit_the_file_show_no_diff():
    text = full(report_of(UNKNOWN_KEY, files={"pkg/k.py": "short\n"}))
    assert "= fix: Remove `BLCK` from the keys\n\n" in text


@pytest.mark.parametrize(
    ("findings", "more", "line"),
    [
        ((), {}, "2 files checked: nothing found."),
        (
            (),
            {"hidden": {Severity.ADVICE: 1}},
            "nothing found. Hidden: 1 piece of advice (`--min-severity advice` shows all).",
        ),
        (
            (),
            {"hidden": {Severity.ADVICE: 0, Severity.WARNING: 2}},
            "nothing found. Hidden: 2 warnings (`--min-severity warning` shows all).",
        ),
        (
            (),
            {"stale": 2},
            "nothing found. The baseline lists 2 that are gone: `aiter-lint baseline --prune`.",
        ),
        ((), {"fixed": 4}, "nothing found. 4 fixed."),
        ((), {"baselined": 7}, "nothing found. 7 passed over by the baseline."),
        ((), {"complete": False}, "nothing found. The run is not complete."),
        ((UNKNOWN_KEY,), {}, "1 error. 1 fixable by `aiter-lint fix`."),
        ((FLOAT_VALUE,), {}, "1 error. 1 fixable by `aiter-lint fix --unsafe-fixes`."),
        ((UNUSED,), {}, "2 files checked: 1 warning."),
        (
            (UNKNOWN_KEY, MISSING_REPR, FLOAT_VALUE, UNUSED, ADVICE),
            {},
            "3 errors, 1 warning, 1 piece of advice. "
            "2 fixable by `aiter-lint fix`, 1 more by `--unsafe-fixes`.",
        ),
    ],
)
def test_the_last_line_counts(findings, more, line):
    assert full(report_of(*findings, **more)).endswith(line + "\n")


def test_a_thousand_findings_are_written_in_a_moment():
    body = "".join(f"    k[(1,)](x, BLOCK={n}, EPS=scale)\n" for n in range(1000))
    findings = [
        msgspec.structs.replace(
            FLOAT_VALUE, place=Place("big.py", Span(n, 20, n, 29)), severity=Severity.ERROR
        )
        for n in range(1, 1001)
    ]
    report = report_of(*findings, files={"big.py": body, "pkg/k.py": body, "pkg/run.py": body})
    start = time.perf_counter()
    text = full(report)
    assert text.count("float-key-value") == 1000
    assert time.perf_counter() - start < 2.0  # some 0.1 s on a quiet machine
