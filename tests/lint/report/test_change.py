"""A fix as changed lines: they stand where the fix changes the file, and nowhere else."""

import random

import pytest
from apply_edits import replaced

from aiter_lint.finding import Applicability, Edit, Fix
from aiter_lint.report.change import changes
from aiter_lint.report.lines import Lines
from aiter_lint.span import Span

TEXT = "one\ntwo\nthree\nfour\n"


def lines_of(text):
    return Lines({"a.py": text}.get)


def change_of(*edits, text=TEXT):
    fix = Fix(
        Applicability.SAFE,
        "t",
        tuple(Edit("a.py", Span(*span), content) for span, content in edits),
    )
    return [(c.line, c.old, c.new) for c in changes(fix, lines_of(text))]


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        pytest.param([((2, 1, 2, 1), "")], [], id="nothing"),
        pytest.param([((2, 2, 2, 3), "W")], [(2, ("two",), ("tWo",))], id="in-a-line"),
        pytest.param([((2, 1, 2, 1), "new\n")], [(2, (), ("new",))], id="insert-a-line"),
        pytest.param([((2, 1, 3, 1), "")], [(2, ("two",), ())], id="remove-a-line"),
        pytest.param([((2, 4, 2, 4), "\nnew")], [(3, (), ("new",))], id="append-a-line"),
        pytest.param([((5, 1, 5, 1), "end\n")], [(5, (), ("end",))], id="at-the-end"),
        pytest.param([((2, 4, 3, 1), " ")], [(2, ("two", "three"), ("two three",))], id="join"),
        pytest.param(
            [((4, 1, 4, 2), "F"), ((1, 1, 1, 2), "O")],
            [(1, ("one",), ("One",)), (4, ("four",), ("Four",))],
            id="far-apart",
        ),
        pytest.param(
            [((1, 1, 1, 2), "O"), ((1, 3, 1, 4), "E")],
            [(1, ("one",), ("OnE",))],
            id="on-one-line",
        ),
        pytest.param([((2, 1, 2, 1), "a\r\n")], [(2, (), ("a",))], id="crlf"),
        pytest.param([((9, 1, 9, 1), "x")], [], id="beyond-the-file"),
        pytest.param([((1, 1, 1, 3), "x"), ((1, 2, 1, 4), "y")], [], id="overlapping"),
    ],
)
def test_changes(edits, expected):
    assert change_of(*edits) == expected


def test_changes_lead_to_the_text_that_the_edits_give():
    choose = random.Random(7)
    for _ in range(500):
        rows = [choose.choice(["", "a", "bb", "ccc ccc"]) for _ in range(choose.randint(1, 8))]
        text = "\n".join(rows)
        places = sorted(
            (line, choose.randint(1, len(rows[line - 1]) + 1))
            for line in choose.choices(range(1, len(rows) + 1), k=2 * choose.randint(1, 3))
        )
        edits = [
            ((*start, *end), choose.choice(["", "x", "x\n", "\ny", "x\ny"]))
            for start, end in zip(places[::2], places[1::2], strict=True)
            if start != end
        ]
        new = text.split("\n")
        for line, old, fresh in reversed(change_of(*edits, text=text)):
            assert tuple(new[line - 1 : line - 1 + len(old)]) == old
            new[line - 1 : line - 1 + len(old)] = fresh
        plain = [(span[:2], span[2:], content) for span, content in edits]
        assert "\n".join(new) == replaced(text, plain)
