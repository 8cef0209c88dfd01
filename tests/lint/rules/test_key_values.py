"""Which values make a bad name: each belongs to one rule at most."""

from __future__ import annotations

import math

import pytest

from aiter_lint.link.values import Kind, Value
from aiter_lint.rules.key_values import is_fractional, is_integral_float, is_negative


def exact(kind: Kind, constant: object) -> Value:
    return Value(kind, exact=True, constant=constant)


CASES = [
    pytest.param(exact(Kind.INT, 4), None, id="an integer"),
    pytest.param(Value(Kind.INT), None, id="some integer"),
    pytest.param(exact(Kind.INT, 2**70), None, id="an integer beyond floats"),
    pytest.param(exact(Kind.BOOL, False), None, id="a flag"),
    pytest.param(exact(Kind.STR, "-0.5"), None, id="text"),
    pytest.param(exact(Kind.NONE, None), None, id="None"),
    pytest.param(exact(Kind.FLOAT, math.inf), None, id="infinity"),
    pytest.param(exact(Kind.FLOAT, math.nan), None, id="nan"),
    pytest.param(Value(Kind.UNKNOWN), None, id="unknown"),
    pytest.param(Value(Kind.LAYOUT), None, id="a layout"),
    pytest.param(exact(Kind.FLOAT, 0.5), "fractional", id="a fraction"),
    pytest.param(exact(Kind.FLOAT, 1e-6), "fractional", id="a small fraction"),
    pytest.param(Value(Kind.FLOAT), "fractional", id="some float"),
    pytest.param(exact(Kind.INTEGRAL, 1.0), "integral", id="a whole float"),
    pytest.param(exact(Kind.INTEGRAL, 1e16), "integral", id="a large float"),
    pytest.param(exact(Kind.INTEGRAL, -0.0), "integral", id="minus zero"),
    pytest.param(exact(Kind.FLOAT, 448.0), "integral", id="a whole float of the wider kind"),
    pytest.param(Value(Kind.INTEGRAL), "integral", id="some whole float"),
    pytest.param(exact(Kind.NEGATIVE, -1), "negative", id="a negative"),
    pytest.param(Value(Kind.NEGATIVE), "negative", id="some negation"),
    pytest.param(Value(Kind.NEGATIVE, fraction=True), "negative", id="a negated fraction"),
    pytest.param(exact(Kind.FLOAT, -0.5), "negative", id="a negative fraction"),
    pytest.param(exact(Kind.INTEGRAL, -1.0), "negative", id="a negative whole float"),
    pytest.param(exact(Kind.FLOAT, -math.inf), "negative", id="minus infinity"),
]


@pytest.mark.parametrize(("value", "due"), CASES)
def test_one_rule_at_most_speaks(value: Value, due: str | None) -> None:
    found = {
        "fractional": is_fractional(value),
        "integral": is_integral_float(value),
        "negative": is_negative(value),
    }
    assert [name for name, is_so in found.items() if is_so] == ([due] if due else [])
