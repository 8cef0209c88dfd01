"""What was meant by a misspelt word."""

from __future__ import annotations

import pytest

from aiter_lint.nearest import nearest


@pytest.mark.parametrize(
    ("word", "choices"),
    [
        pytest.param("HALF", ["TILE", "NUM_HEADS"], id="another word"),
        pytest.param("TR", ["BM", "TB"], id="too short to tell"),
        pytest.param("", ["B"], id="nothing given"),
        pytest.param("B", [], id="nothing to choose from"),
        pytest.param("_", ["_", "-"], id="nothing but separators"),
    ],
)
def test_nothing_is_near(word: str, choices: list[str]) -> None:
    assert nearest(word, choices) is None


@pytest.mark.parametrize(
    ("word", "choices", "meant"),
    [
        pytest.param("num_heads", ["TILE", "NUM_HEADS"], "NUM_HEADS", id="case"),
        pytest.param("unknown_key", ["unknown-key"], "unknown-key", id="separator"),
        pytest.param("BLOKC", ["BLOCK"], "BLOCK", id="letters swapped"),
        pytest.param("BLCK_M", ["BLOCK_N", "BLOCK_M"], "BLOCK_M", id="letter missing"),
        pytest.param("siliding", ["sliding"], "sliding", id="letter too many"),
        pytest.param("num_warp", ["num_warps", "num_wraps"], "num_warps", id="first of the near"),
        pytest.param("x" * 10_000, ["x" * 9_999], "x" * 9_999, id="very long words"),
    ],
)
def test_the_nearest_is_found(word: str, choices: list[str], meant: str) -> None:
    assert nearest(word, choices) == meant
