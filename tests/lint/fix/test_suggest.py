"""Which parameters a stub lists: the policy, on kernels built by hand."""

from __future__ import annotations

import pytest

from aiter_lint.link.project import Argument, Binding, Kernel, Launch, Parameter, Tuning
from aiter_lint.link.suggest import suggest
from aiter_lint.link.values import Kind, Value
from aiter_lint.read.facts import Function
from aiter_lint.read.syntax import Const
from aiter_lint.span import Place, Span

SPAN = Span(1, 1, 1, 2)
HERE = Place("k.py", SPAN)

SEVEN = Value(Kind.INT, exact=True, constant=7, text="7")
HALF = Value(Kind.FLOAT, exact=True, constant=0.5, text="0.5")
UNKNOWN = Value(Kind.UNKNOWN, reason="an attribute")


def kernel(*params: str, launches: list[dict[str, list[Value]]], how: str = "keyword") -> Kernel:
    """A kernel of constexpr parameters, launched with these values."""
    function = Function("k", "k", SPAN, SPAN, SPAN, (), (), -1, -1, False, False, (), None)
    made = Kernel(
        path="k.py",
        module="k",
        name="k",
        qualname="k",
        dialect="triton",
        place=HERE,
        head=HERE,
        jit=HERE,
        params=tuple(
            Parameter(name, True, "tl.constexpr", None, None, False, False, HERE) for name in params
        ),
        function=function,
        repr=None,
        not_specialized=(),
        method=False,
        nested=False,
        tuning=Tuning(),
        opaque_decorator=False,
        role="launched",
    )
    for given in launches:
        arguments = {
            name: (Argument(name, how, HERE, lambda v=tuple(values): v, "text"),)
            for name, values in given.items()
        }
        launch = Launch(HERE, "subscript", None)
        made.launches.append(Binding(launch, made, arguments, {}, False, (), Tuning()))
    return made


STAYS = {
    "a tile size": ("BLOCK_M", [SEVEN]),
    "a size that comes from a shape": ("HEAD_DIM", [Value(Kind.INT, text="x.shape[1]", size=True)]),
    "a flag": ("EVEN", [Value(Kind.BOOL, text="n % 64 == 0")]),
    "a flag computed from the number of rows": ("EVEN", [Value(Kind.BOOL, rows=True)]),
    "a dtype": ("OUT", [Value(Kind.DTYPE, text="tl.float16")]),
    "a string": ("ACT", [Value(Kind.STR, exact=True, constant="silu")]),
    "None or a number": ("SPLIT", [Value(Kind.NONE, exact=True), SEVEN]),
    "unknown, and no float by its name": ("BLOCK_M", [UNKNOWN]),
    "float by its name, but every launch passes an integer": ("LIMIT", [SEVEN]),
    "a flag about strides by its name": ("USE_INT64_STRIDES", [UNKNOWN]),
    "a flag about strides by its value": ("WIDE_STRIDE", [Value(Kind.BOOL)]),
    "a flag about a scale": ("HAS_SCALE", [UNKNOWN]),
    "the size of a block of scales": ("SCALE_BLOCK", [UNKNOWN]),
    "a maximum that is a count": ("MAX_SEQLEN", [UNKNOWN]),
    "a declared launch option by keyword": ("num_warps", [SEVEN]),
    "a tuple of numbers": ("TILE", [Value(Kind.TUPLE, items=((SEVEN,), (SEVEN,)))]),
}


@pytest.mark.parametrize(("name", "values"), STAYS.values(), ids=STAYS)
def test_stays(name: str, values: list[Value]) -> None:
    assert suggest(kernel(name, launches=[{name: values}])).keys == (name,)


GOES = {
    "a stride by its name": ("stride_m", [SEVEN], "a stride"),
    "a stride in capitals": ("STRIDE_Q_H", [UNKNOWN], "a stride"),
    "a stride under another name": (
        "ROW",
        [Value(Kind.INT, text="x.stride(0)", size=True)],
        "a launch passes a stride: x.stride(0)",
    ),
    "a float": ("P", [HALF], "a launch passes a float: 0.5"),
    "an integral float": ("P", [Value(Kind.INTEGRAL, text="1.0")], "a launch passes a float: 1.0"),
    "a float from one of several sources": ("P", [SEVEN, HALF], "a launch passes a float: 0.5"),
    "a negative": ("SHIFT", [Value(Kind.NEGATIVE, text="-n")], "a launch passes a negative: -n"),
    "a lambda": (
        "ACT",
        [Value(Kind.CALLABLE, text="lambda")],
        "a launch passes a function: lambda",
    ),
    "a jit function": ("ACT", [Value(Kind.JIT, text="silu")], "a launch passes a function: silu"),
    "a layout": ("L", [Value(Kind.LAYOUT, text="blocked")], "a launch passes a layout: blocked"),
    "the grid's extent": (
        "ROWS",
        [Value(Kind.INT, text="rows", size=True, rows=True)],
        "a launch passes a number of rows: rows",
    ),
    "a float in a tuple": (
        "PAIR",
        [Value(Kind.TUPLE, items=((SEVEN,), (HALF,)))],
        "a launch passes a float: 0.5",
    ),
    "unknown, and a float by its name": (
        "sm_scale",
        [UNKNOWN],
        "not known, and a float by its name",
    ),
    "unknown bound of a type": ("FP8_MAX", [UNKNOWN], "not known, and a float by its name"),
    "known only in part": ("eps", [SEVEN, UNKNOWN], "not known, and a float by its name"),
    "unknown layout": ("LAYOUT_A", [UNKNOWN], "not known, and a layout by its name"),
}


@pytest.mark.parametrize(("name", "values", "reason"), GOES.values(), ids=GOES)
def test_left_out(name: str, values: list[Value], reason: str) -> None:
    suggestion = suggest(kernel(name, launches=[{name: values}]))
    assert suggestion.keys == ()
    assert suggestion.left_out == {name: reason}


def test_signature_order_and_any_launch_decides() -> None:
    made = kernel(
        "B", "A", "S", launches=[{"A": [SEVEN], "B": [SEVEN], "S": [SEVEN]}, {"S": [HALF]}]
    )
    suggestion = suggest(made)
    assert suggestion.keys == ("B", "A")
    assert suggestion.left_out == {"S": "a launch passes a float: 0.5"}


@pytest.mark.parametrize("how", ["default", "position", "star"])
def test_a_launch_option_that_the_compiler_ignores(how: str) -> None:
    suggestion = suggest(kernel("num_stages", launches=[{"num_stages": [SEVEN]}], how=how))
    assert suggestion.keys == ()
    assert "ignores" in suggestion.left_out["num_stages"]


def test_nobody_launches_it() -> None:
    assert suggest(kernel("BLOCK", "eps", launches=[])).keys == ("BLOCK",)


def test_nobody_launches_it_and_its_default_is_a_float() -> None:
    made = kernel("P", launches=[])
    made.params = (
        Parameter("P", True, "tl.constexpr", Const(0.5, SPAN), "0.5", False, False, HERE),
    )
    assert suggest(made).left_out == {"P": "a float by default: 0.5"}
