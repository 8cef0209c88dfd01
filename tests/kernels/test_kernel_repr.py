"""Names of specializations: always identifiers, and different for different values."""

import keyword
import math
import re
from types import SimpleNamespace

import pytest
import torch
import triton.language as tl
from hypothesis import given
from hypothesis import strategies as st

from kernels.utils.kernel_repr import make_kernel_repr, value_text

TRITON_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*", re.ASCII)

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from([tl.float16, tl.bfloat16, tl.int8, tl.float8e4nv, tl.int1, tl.pi32_t])
    | st.sampled_from([torch.float64, torch.bfloat16, torch.float8_e4m3fnuz])
)
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3).map(tuple))


def name(keys, **constants):
    return make_kernel_repr("_k", keys)(SimpleNamespace(constants=constants))


def meaning(value):
    """Equal exactly where two values mean the same specialization."""
    if isinstance(value, tuple):
        return ("tuple", *map(meaning, value))
    if isinstance(value, float):
        return ("float", "nan" if math.isnan(value) else value.hex())
    return (type(value).__name__, str(value))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (64, "64"),
        (0, "0"),
        (-1, "NEG1"),
        (True, "TRUE"),
        (False, "FALSE"),
        (None, "NONE"),
        ("gelu", "gelu"),
        ("", "S"),
        ("NONE", "SNONE"),
        ("64", "S64"),
        ("a_b", "SaZ5fZb"),
        (1.0, "F1p0"),
        (2.5, "F2p5"),
        (-1e-06, "Fm1em06"),
        (1e20, "F1e20"),
        (1e-20, "F1em20"),
        (-0.0, "Fm0p0"),
        (math.inf, "INF"),
        (-math.inf, "NEGINF"),
        (math.nan, "NAN"),
        (tl.float16, "FP16"),
        (torch.float16, "FLOAT16"),
        ((64, 128), "T_64_128_E"),
        ((), "T_E"),
        (tl.constexpr(5), "5"),
    ],
)
def test_text_of_usual_values(value, text):
    assert value_text(value) == text


def test_name_lists_the_keys_in_order():
    assert name(["BLOCK_SIZE_M", "EVEN"], EVEN=True, BLOCK_SIZE_M=64) == (
        "_k_BLOCK_SIZE_M_64_EVEN_TRUE"
    )


def test_name_without_keys_is_the_base():
    assert name([], BLOCK=1) == "_k"


def test_name_key_replaces_the_base_where_given():
    kernel_repr = make_kernel_repr("_k", ["BLOCK"], name_key="NAME")
    assert kernel_repr(SimpleNamespace(constants={"BLOCK": 4, "NAME": "_mine"})) == "_mine_BLOCK_4"
    assert kernel_repr(SimpleNamespace(constants={"BLOCK": 4, "NAME": None})) == "_k_BLOCK_4"
    assert kernel_repr(SimpleNamespace(constants={"BLOCK": 4})) == "_k_BLOCK_4"


@given(st.text())
def test_name_key_of_any_text_is_an_identifier(text):
    kernel_repr = make_kernel_repr("_k", [], name_key="NAME")
    assert TRITON_NAME.fullmatch(kernel_repr(SimpleNamespace(constants={"NAME": text})))


@given(values)
def test_every_value_gives_an_identifier(value):
    assert TRITON_NAME.fullmatch(name(["KEY"], KEY=value))


@given(values, values)
def test_different_values_give_different_names(one, other):
    same = meaning(one) == meaning(other)
    assert (name(["KEY"], KEY=one) == name(["KEY"], KEY=other)) == same


@given(st.tuples(values, values), st.tuples(values, values))
def test_values_do_not_run_into_the_next_key(one, other):
    same = meaning(one) == meaning(other)
    names = [name(["A", "B"], A=a, B=b) for a, b in (one, other)]
    assert (names[0] == names[1]) == same


@pytest.mark.parametrize(
    ("one", "other"),
    [(1, True), (1, 1.0), (1, "1"), (True, 1.0), (None, "NONE"), (None, ()), ("", ()), (0.0, -0.0)],
)
def test_values_that_python_or_other_builders_confuse(one, other):
    assert value_text(one) != value_text(other)


@pytest.mark.parametrize("value", [len, lambda x: x, SimpleNamespace(a=1), object(), {1: 2}, 3j])
def test_other_objects_give_a_text_that_names_no_address(value):
    text = value_text(value)
    assert TRITON_NAME.fullmatch(text)
    assert f"{id(value):x}" not in text


@pytest.mark.parametrize("text", ["", "1k", "a b", "a.b", "k\n", "käfer"])
def test_base_and_keys_must_be_identifiers(text):
    with pytest.raises(ValueError, match="no identifier"):
        make_kernel_repr(text, [])
    with pytest.raises(ValueError, match="no identifier"):
        make_kernel_repr("_k", [text])


def test_a_python_keyword_is_a_fine_key():
    assert keyword.iskeyword("in")
    assert name(["in"], **{"in": 3}) == "_k_in_3"
