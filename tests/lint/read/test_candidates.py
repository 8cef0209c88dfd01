"""The searches in bytes: hints that may say too much, never too little."""

from __future__ import annotations

import pytest

from aiter_lint.read.candidates import (
    called_names,
    jit_arguments,
    lines_calling,
    marked_lines,
    quoted_names,
)


@pytest.mark.parametrize(
    "text",
    ["name(1)", "a.name(1)", "name (1)", "name\t(1)", "name  (1)", "(name\\\n(1))", "[x, name(1)]"],
)
def test_called(text: str) -> None:
    assert "name" in called_names(text.encode())
    assert lines_calling(text.encode(), ["name", "other"]) == {"name": [1]}


@pytest.mark.parametrize("text", ["name = (1)", "name", "name[1](2)", "surname(1)", "1name(2)"])
def test_not_called(text: str) -> None:
    assert "name" not in called_names(text.encode())
    assert lines_calling(text.encode(), ["name"]) == {}


def test_keywords_are_not_called() -> None:
    assert called_names(b"if(a): return (b)\nnot(c)") == ()


def test_names_beyond_ascii() -> None:
    assert called_names("größe(1)".encode()) == ("größe",)
    assert lines_calling("größe(1)".encode(), ["größe", "e"]) == {"größe": [1]}


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_lines(line_end: bytes) -> None:
    data = line_end.join([b"f(1)", b"", b"x = f(f(2))", b"f"])
    assert lines_calling(data, ["f"]) == {"f": [1, 3]}


def test_marked_lines() -> None:
    assert marked_lines(b"x\nk[g](1); k[h](2)\n\nk.run(3)\ny[0] = (1)\n") == [2, 4]


def test_quoted_names() -> None:
    assert quoted_names("""f('a', "b_1", 'two words', '''c''', '')""") == ("a", "b_1", "c")


def test_jit_arguments() -> None:
    assert jit_arguments(b"a = triton.jit(f); b = jit(x=1)(g); c = my_jit(\n  h)") >= {
        "f",
        "g",
        "h",
    }
