"""Reprs taken off, exchanged, removed - and ignore comments."""

from __future__ import annotations

import pytest

from aiter_lint.finding import Severity
from tests.lint.fix.spec import HEAD, check_noop, check_transformed, fixed

BARE_HEAD = HEAD.replace("from names import make_kernel_repr\n", "")

BUMP = """
@triton.jit{}
def bump(x, n):
    tl.store(x, n)


def run(x):
    bump[(1,)](x, 4)
"""
WITHOUT = {"select": ("repr-without-constexpr",)}

TAKEN_OFF = {
    "alone": ("(repr=_bump_repr)", ""),
    "behind others": ("(do_not_specialize=[0], repr=_bump_repr)", "(do_not_specialize=[0])"),
    "in front of others": ("(repr=_bump_repr, do_not_specialize=[0])", "(do_not_specialize=[0])"),
    "one a line": (
        "(\n    repr=_bump_repr,\n    do_not_specialize=[0],\n)",
        "(\n    do_not_specialize=[0],\n)",
    ),
    "built in place": ('(repr=make_kernel_repr("bump", []))', ""),
}


@pytest.mark.parametrize(("before", "after"), TAKEN_OFF.values(), ids=TAKEN_OFF)
def test_taken_off(before: str, after: str) -> None:
    builder = (
        ""
        if "bump" in before and "make" in before
        else ('_bump_repr = make_kernel_repr("bump", [])\n\n')
    )
    check_transformed(
        HEAD + builder + BUMP.format(before), BARE_HEAD + BUMP.format(after), **WITHOUT
    )


def test_a_comment_would_be_lost() -> None:
    builder = '_bump_repr = make_kernel_repr("bump", [])  # keep me\n\n'
    source = HEAD + builder + BUMP.format("(repr=_bump_repr)")
    check_noop(source, **WITHOUT)
    check_transformed(source, BARE_HEAD + BUMP.format(""), unsafe=True, **WITHOUT)


def test_a_builder_that_others_use_stays() -> None:
    builder = '_bump_repr = make_kernel_repr("bump", [])\nprint(_bump_repr)\n\n'
    check_transformed(
        HEAD + builder + BUMP.format("(repr=_bump_repr)"),
        HEAD + builder + BUMP.format(""),
        **WITHOUT,
    )


UNUSED = {
    "between others": ("X = 1\n{}Y = 2\n", "X = 1\nY = 2\n"),
    "apart": ("X = 1\n\n{}\nY = 2\n", "X = 1\n\nY = 2\n"),
    "in front of a definition": ("X = 1\n{}\n\ndef f(): ...\n", "X = 1\n\n\ndef f(): ...\n"),
    "behind a definition": ("def f(): ...\n\n\n{}X = 1\n", "def f(): ...\n\n\nX = 1\n"),
    "at the end": ("def f(): ...\n\n\n{}", "def f(): ...\n"),
    "alone in its block": ("if True:\n    {}X = 1\n", "if True:\n    pass\nX = 1\n"),
    "first in its block": (
        "if True:\n    {}\n    def f(): ...\n",
        "if True:\n\n    def f(): ...\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), UNUSED.values(), ids=UNUSED)
def test_unused(before: str, after: str) -> None:
    builder = 'sub_repr = make_kernel_repr("sub", ["B"])\n'
    check_transformed(
        HEAD + "\nprint(make_kernel_repr)\n" + before.format(builder),
        HEAD + "\nprint(make_kernel_repr)\n" + after,
    )


def test_unused_on_a_line_with_other_code() -> None:
    check_noop(HEAD + 'X = 1; sub_repr = make_kernel_repr("sub", ["B"])\n', says="other code")


def test_the_import_goes_with_its_last_use() -> None:
    check_transformed(
        "from names import make_kernel_repr, other\n\n"
        'sub_repr = make_kernel_repr("sub", ["B"])\nprint(other)\n',
        "from names import other\n\nprint(other)\n",
    )


def test_the_import_goes_with_its_last_two_uses() -> None:
    check_transformed(
        "import names\nfrom names import make_kernel_repr\n\n"
        'a_repr = make_kernel_repr("a", ["B"])\nb_repr = make_kernel_repr("b", ["B"])\n'
        "print(names)\n",
        "import names\n\nprint(names)\n",
    )


def test_an_import_that_another_file_uses_stays() -> None:
    source = HEAD + 'sub_repr = make_kernel_repr("sub", ["B"])\n'
    files, outcome = fixed(
        {"m.py": source, "use.py": "from m import make_kernel_repr\n\nprint(make_kernel_repr)\n"}
    )
    assert len(outcome.applied) == 1
    assert files["m.py"].decode() == HEAD.rstrip("\n") + "\n"


TWO = """
_mm_repr = make_kernel_repr("mm", ["B"])
_mm_shuffled_repr = make_kernel_repr("mm_shuffled", ["B"])


@triton.jit(repr=_mm_repr)
def mm(x, B: tl.constexpr):
    tl.store(x, B)


@triton.jit(repr=_mm_repr)
def mm_shuffled(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    mm[(1,)](x, B=8)
    mm_shuffled[(1,)](x, B=8)
"""


def test_the_kernels_own_repr_is_attached() -> None:
    before = "@triton.jit(repr=_mm_repr)\ndef mm_shuffled"
    check_transformed(
        HEAD + TWO, HEAD + TWO.replace(before, before.replace("_mm_repr", "_mm_shuffled_repr"))
    )


def test_a_repr_that_waits_is_attached() -> None:
    source = TWO.replace(
        "@triton.jit(repr=_mm_repr)\ndef mm_shuffled", "@triton.jit\ndef mm_shuffled"
    )
    check_transformed(
        HEAD + source,
        HEAD
        + source.replace("@triton.jit\ndef mm_s", "@triton.jit(repr=_mm_shuffled_repr)\ndef mm_s"),
    )


IGNORES = {
    "alone on its line": ("# aiter-lint: ignore[unused-kernel]\nX = 1\n", "X = 1\n"),
    "behind code": ("X = 1  # aiter-lint: ignore[unknown-key] old\nY = 2\n", "X = 1\nY = 2\n"),
    "behind another comment": (
        "X = 1  # noqa: E501  # aiter-lint: ignore[unknown-key]\n",
        "X = 1  # noqa: E501\n",
    ),
    "at the end of the file": ("X = 1\n# aiter-lint: ignore[unknown-key]", "X = 1"),
    "for the whole file": ("# aiter-lint: ignore-file[unknown-key]\nX = 1\n", "X = 1\n"),
    "two rules": ("X = 1  # aiter-lint: ignore[unknown-key, duplicate-key]\n", "X = 1\n"),
}


@pytest.mark.parametrize(("before", "after"), IGNORES.values(), ids=IGNORES)
def test_ignores_that_silence_nothing(before: str, after: str) -> None:
    check_transformed(before, after, min_severity=Severity.ADVICE)


def test_one_rule_of_several() -> None:
    kernel = """
@triton.jit  # aiter-lint: ignore[{}] why
def k(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    k[(1,)](x, B=8)
"""
    head = HEAD + "print(make_kernel_repr)\n\n"
    for rules in ("unknown-key, missing-repr", "missing-repr, unknown-key"):
        check_transformed(head + kernel.format(rules), head + kernel.format("missing-repr"))
