"""What is not edited stays byte for byte; what is edited fits in."""

from __future__ import annotations

import pytest

from aiter_lint.finding import Edit
from aiter_lint.fix.document import Document, Unfixable
from aiter_lint.span import Span
from tests.lint.fix.spec import HEAD, fixed

BEFORE = HEAD + (
    "\n@triton.jit  # größer\ndef k(x, B: tl.constexpr):\n    tl.store(x, B)\n"
    "\n\ndef run(x):\n    k[(1,)](x, B=8)  # é\n"
)
AFTER = HEAD + (
    '_k_repr = make_kernel_repr("k", ["B"])\n\n\n'
    "@triton.jit(repr=_k_repr)  # größer\ndef k(x, B: tl.constexpr):\n    tl.store(x, B)\n"
    "\n\ndef run(x):\n    k[(1,)](x, B=8)  # é\n"
)
BOM = b"\xef\xbb\xbf"

BYTES = {
    "utf-8": lambda text: text.encode(),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "carriage returns alone": lambda text: text.replace("\n", "\r").encode(),
    "bom": lambda text: BOM + text.encode(),
    "bom and crlf": lambda text: BOM + text.replace("\n", "\r\n").encode(),
    "latin-1 by its cookie": lambda text: ("# coding: latin-1\n" + text).encode("latin-1"),
    "no line end at the end": lambda text: text.rstrip("\n").encode(),
    "form feeds": lambda text: text.replace("def run", "\fdef run").encode(),
    "odd line separators in a string": lambda text: ("'''\x0b\x1c\u2028\x85'''\n" + text).encode(),
}


@pytest.mark.parametrize("write", BYTES.values(), ids=BYTES)
def test_line_ends_and_encodings(write) -> None:
    files, outcome = fixed({"m.py": write(BEFORE)})
    assert files["m.py"] == write(AFTER)
    assert len(outcome.applied) == 1


def test_mixed_line_ends_stay_mixed() -> None:
    lines = BEFORE.split("\n")
    mixed = "\n".join(line + "\r" if number % 2 else line for number, line in enumerate(lines))
    files, _ = fixed({"m.py": mixed.encode()})
    after = files["m.py"].decode()
    assert after.replace("\r", "") == AFTER
    kept = [line for line in mixed.split("\n") if not line.startswith("@")]
    left = iter(after.split("\n"))
    assert [line for line in kept if line.strip()] == [
        line for line in kept if line.strip() and line in left
    ]


def test_positions_in_every_kind_of_line() -> None:
    document = Document("m.py", "a = 'é😀'\r\nb\rc\n\x0cd\u2028e".encode())
    assert document.lines == ["a = 'é😀'", "b", "c", "\x0cd\u2028e"]
    for line, text in enumerate(document.lines, 1):
        for column, character in enumerate(text, 1):
            offset = document.offset(line, column)
            assert document.text[offset] == character
            assert document.position(offset) == (line, column)
    assert document.slice(Span(1, 5, 3, 2)) == "'é😀'\nb\nc"


def test_edits_of_one_place_are_refused() -> None:
    document = Document("m.py", b"abc\n")
    edits = [Edit("m.py", Span(1, 1, 1, 3), "x"), Edit("m.py", Span(1, 2, 1, 4), "y")]
    with pytest.raises(ValueError, match="overlap"):
        document.edited(edits)


@pytest.mark.parametrize(
    "data",
    [
        b"x = '\xff'\n",
        b"x\0",
        b"# coding: nonsense\n",
        b"# coding: utf-7\nx = '+2D3eAA-'\n",
    ],
)
def test_a_file_that_would_not_come_back(data: bytes) -> None:
    with pytest.raises(Unfixable):
        Document("m.py", data)
