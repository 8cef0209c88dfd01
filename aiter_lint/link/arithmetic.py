"""Operators on abstract values. What two exact values give is computed; else only what is
certain of the result is said: `a / b` is a float, `-a` a negative, `len(x) * 2` an int."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from aiter_lint.link.values import Kind, Value, Values

MANY = 48  # more possibilities than this are cut, and said to be unknown

NUMBERS = frozenset({Kind.INT, Kind.NEGATIVE, Kind.INTEGRAL, Kind.FLOAT, Kind.BOOL})
FLOATS = frozenset({Kind.INTEGRAL, Kind.FLOAT})
_LARGEST = 2**63

_OPERATORS: dict[str, Callable] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<<": operator.lshift,
    ">>": operator.rshift,
    "|": operator.or_,
    "&": operator.and_,
    "^": operator.xor,
}
_COMPARISONS: dict[str, Callable] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "is": operator.is_,
    "is not": operator.is_not,
}


def unknown(reason: str, text: str = "") -> Values:
    """The set that holds one unknown."""
    return (Value(Kind.UNKNOWN, reason=reason, text=text),)


def exact(constant: object, text: str | None = None, **marks) -> Value:
    """The value of a constant: None, bool, int, float or str."""
    kind, fraction = Kind.UNKNOWN, False
    if constant is None:
        kind = Kind.NONE
    elif isinstance(constant, bool):
        kind = Kind.BOOL
    elif isinstance(constant, int):
        kind = Kind.INT if constant >= 0 else Kind.NEGATIVE
        constant = int(constant)
    elif isinstance(constant, float):
        if constant < 0:
            kind = Kind.NEGATIVE
            fraction = not constant.is_integer()
        else:
            kind = Kind.INTEGRAL if constant.is_integer() else Kind.FLOAT
    elif isinstance(constant, str):
        kind = Kind.STR
    else:
        return Value(Kind.OTHER, text=text or type(constant).__name__)
    shown = repr(constant) if text is None else text
    return Value(kind, True, constant, shown, fraction=fraction, **marks)


def some(kind: Kind, text: str = "", **marks) -> Value:
    """A value of which only the kind is known."""
    return Value(kind, text=text, **marks)


def union(*sets: Values) -> Values:
    """All members of the sets, each once, at most `MANY`."""
    if len(sets) == 1:
        return sets[0]
    seen: dict[object, Value] = {}
    for values in sets:
        for value in values:
            seen.setdefault(identity(value), value)
    found = tuple(seen.values())
    if len(found) > MANY:
        return (*found[:MANY], Value(Kind.UNKNOWN, reason="too many possibilities"))
    return found


def identity(value: Value) -> object:
    """What makes two values the same, evidence left aside."""
    if value.exact:
        return (value.kind, repr(value.constant), value.size, value.rows)
    if value.kind is Kind.UNKNOWN and value.data is None:
        return (value.kind, value.reason)
    if value.kind is Kind.TUPLE:
        return (value.kind, tuple(tuple(identity(v) for v in item) for item in value.items))
    return (value.kind, value.text, value.size, value.rows, id(value.data) if value.data else None)


def binary(op: str, left: Value, right: Value, text: str) -> Value:
    """`left op right`."""
    marks = {"size": left.size or right.size, "rows": left.rows or right.rows}
    if left.exact and right.exact:
        return _compute(op, left.constant, right.constant, text, marks)
    if left.kind is Kind.TUPLE and right.kind is Kind.TUPLE and op == "+":
        return Value(Kind.TUPLE, text=text, items=left.items + right.items)
    kinds = (left.kind, right.kind)
    if any(
        k in (Kind.STR, Kind.OTHER, Kind.TUPLE, Kind.NONE, Kind.CALLABLE, Kind.JIT) for k in kinds
    ):
        if left.kind is Kind.STR and op in ("+", "%", "*"):
            return some(Kind.STR, text)
        return Value(Kind.UNKNOWN, text=text, reason="an operator on something that is no number")
    if op == "/":
        if left.kind is Kind.UNKNOWN and left.data is not None:
            return Value(Kind.UNKNOWN, text=text, reason="an operator on an object")
        return some(Kind.FLOAT, text, **marks)
    if any(k in FLOATS for k in kinds) and op in ("+", "-", "*", "**"):
        return some(Kind.FLOAT, text, **marks)
    whole = (Kind.INT, Kind.BOOL)
    if kinds[0] in whole and kinds[1] in whole:
        if op in ("+", "*", "//", "%", "**", "<<", ">>", "|", "&", "^"):
            if op in ("|", "&", "^") and kinds == (Kind.BOOL, Kind.BOOL):
                return some(Kind.BOOL, text)
            return some(Kind.INT, text, **marks)
    if op == "%" and right.kind is Kind.INT:
        return (
            some(Kind.INT, text, **marks) if left.kind is not Kind.UNKNOWN else _lost(text, marks)
        )
    if op in ("//", "*") and kinds.count(Kind.NEGATIVE) == 1:
        # A minus before it may take the sign away again: -(a // -b) rounds a / b up.
        return Value(Kind.UNKNOWN, text=text, reason=_OF_A_NEGATIVE, **marks)
    return _lost(text, marks)


_OF_A_NEGATIVE = "arithmetic on a negative number"


def _lost(text: str, marks: dict) -> Value:
    return Value(Kind.UNKNOWN, text=text, reason="arithmetic on unknown values", **marks)


def _compute(op: str, left: object, right: object, text: str, marks: dict) -> Value:
    if op == "**" and isinstance(right, (int, float)) and abs(right) > 256:
        return _lost(text, marks)
    if op == "<<" and isinstance(right, int) and right > 63:
        return _lost(text, marks)
    if op == "*" and isinstance(left, str) | isinstance(right, str):
        return some(Kind.STR, text)
    function = _OPERATORS.get(op)
    if function is None:
        return _lost(text, marks)
    try:
        result = function(left, right)
    except (ArithmeticError, TypeError, ValueError):
        return _lost(text, marks)
    if isinstance(result, int) and abs(result) >= _LARGEST:
        return some(Kind.INT if result > 0 else Kind.NEGATIVE, text, **marks)
    if isinstance(result, str) and len(result) > 4096:
        return some(Kind.STR, text)
    if not isinstance(result, (bool, int, float, str)):
        return _lost(text, marks)
    return exact(result, _shown(text, result), **marks)


def _shown(text: str, result: object) -> str:
    shown = repr(result)
    return shown if text == shown else f"{text} = {shown}"


def unary(op: str, operand: Value, text: str) -> Value:
    """`op operand`, op not being `not`."""
    marks = {"size": operand.size, "rows": operand.rows}
    if operand.exact and isinstance(operand.constant, (bool, int, float)):
        number = operand.constant
        if op == "-":
            return exact(-number, _shown(text, -number), **marks)
        if op == "+":
            return exact(+number, _shown(text, +number), **marks)
        if op == "~" and isinstance(number, int):
            return exact(~int(number), _shown(text, ~int(number)), **marks)
    if op == "-":
        if operand.kind is Kind.NEGATIVE or operand.reason == _OF_A_NEGATIVE:
            return _lost(text, marks)
        if operand.kind in (Kind.STR, Kind.OTHER, Kind.TUPLE, Kind.NONE, Kind.DTYPE):
            return _lost(text, marks)
        return some(Kind.NEGATIVE, text, **marks)
    if op == "+" and operand.kind in NUMBERS:
        return operand
    return _lost(text, marks)


def truth(value: Value) -> bool | None:
    """Whether a value is true; None where that can't be known."""
    if value.exact:
        return bool(value.constant)
    if value.kind in (Kind.NEGATIVE, Kind.DTYPE, Kind.JIT, Kind.CALLABLE, Kind.LAYOUT):
        return True
    if value.kind is Kind.TUPLE:
        return bool(value.items)
    return None


def compare(op: str, left: Value, right: Value) -> bool | None:
    """`left op right`; None where it can't be known."""
    if left.exact and right.exact:
        if op in ("is", "is not"):
            if left.constant is None or right.constant is None or isinstance(left.constant, bool):
                return _COMPARISONS[op](left.constant, right.constant)
            op = {"is": "==", "is not": "!="}[op]
        if op in ("in", "not in"):
            if isinstance(left.constant, str) and isinstance(right.constant, str):
                return (left.constant in right.constant) == (op == "in")
            return None
        try:
            return bool(_COMPARISONS[op](left.constant, right.constant))
        except TypeError:
            return None
    if op in ("in", "not in") and right.kind is Kind.TUPLE:
        verdicts = [compare("==", left, v) for item in right.items for v in item]
        if right.items and all(v is False for v in verdicts):
            return op == "not in"
        if any(len(item) == 1 and compare("==", left, item[0]) for item in right.items):
            return op == "in"
        return None
    if op in ("==", "!=", "is", "is not"):
        return _same(op, left, right)
    return _order(op, left, right)


def contains(value: Value, members: list[Value]) -> bool | None:
    """Whether a value is among the members; None where it can't be known."""
    verdicts = [equal(value, member) for member in members]
    if True in verdicts:
        return True
    return None if None in verdicts else False


def equal(left: Value, right: Value) -> bool | None:
    """`left == right`, tuples element by element; None where it can't be known."""
    if left.kind is not Kind.TUPLE or right.kind is not Kind.TUPLE:
        return compare("==", left, right)
    if left.data is not None and not left.data.complete:
        return None
    if right.data is not None and not right.data.complete:
        return None
    if len(left.items) != len(right.items):
        return False
    verdict: bool | None = True
    for ours, theirs in zip(left.items, right.items):
        each = {equal(x, y) for x in ours for y in theirs}
        if each == {False}:
            return False
        if each != {True}:
            verdict = None
    return verdict


def _same(op: str, left: Value, right: Value) -> bool | None:
    different = op in ("!=", "is not")
    if Kind.UNKNOWN in (left.kind, right.kind):
        return None
    if left.data is not None and left.data is right.data and left.kind in (Kind.JIT, Kind.DTYPE):
        return not different
    families = (_family(left.kind), _family(right.kind))
    if families[0] != families[1] and "object" not in families:
        return different
    if Kind.NONE in (left.kind, right.kind) and left.kind is not right.kind:
        return different
    if {left.kind, right.kind} == {Kind.INT, Kind.NEGATIVE}:
        return different
    return None


def _family(kind: Kind) -> str:
    if kind in NUMBERS:
        return "number"
    return "object" if kind is Kind.OTHER else kind.value


def _order(op: str, left: Value, right: Value) -> bool | None:
    low, high = _bounds(left), _bounds(right)
    if low is None or high is None:
        return None
    if op in (">", ">="):
        low, high = high, low
        op = {">": "<", ">=": "<="}[op]
    if op == "<":
        if low[1] < high[0]:
            return True
        return False if low[0] >= high[1] else None
    if op == "<=":
        if low[1] <= high[0]:
            return True
        return False if low[0] > high[1] else None
    return None


_TINY = 5e-324


def _bounds(value: Value) -> tuple[float, float] | None:
    """The smallest and largest that a number can be."""
    if value.exact and isinstance(value.constant, (bool, int, float)):
        return (value.constant, value.constant)
    if value.kind is Kind.INT:
        return (0, math.inf)
    if value.kind is Kind.NEGATIVE:
        return (-math.inf, -_TINY)
    if value.kind is Kind.BOOL:
        return (0, 1)
    return None
