"""Keys taken out and put in; what stands around them stays."""

from __future__ import annotations

import pytest

from tests.lint.fix.spec import HEAD, check_noop, check_transformed, fixed

KERNEL = """

@triton.jit(repr=_k_repr)
def k(x, n, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    tl.store(x + n, A + B + C)


def run(x):
    k[(1,)](x, 4, A=1, B=8, C=2)
"""


def module(builder: str, kernel: str = KERNEL) -> str:
    return HEAD + builder + "\n" + kernel


NOOPS = {
    "every key is a constexpr": '_k_repr = make_kernel_repr("k", ["A", "B", "C"])',
    "no keys": '_k_repr = make_kernel_repr("k", [])',
    "the list can't be read": '_k_repr = make_kernel_repr("k", open("keys").read().split())',
    "keys of a comprehension": '_k_repr = make_kernel_repr("k", [c for c in "AB"])',
}


@pytest.mark.parametrize("builder", NOOPS.values(), ids=NOOPS)
def test_nothing_to_do(builder: str) -> None:
    check_noop(module(builder))


REMOVED = {
    "the first": ('["DEAD", "A", "B"]', '["A", "B"]'),
    "between": ('["A", "DEAD", "B"]', '["A", "B"]'),
    "the last": ('["A", "B", "DEAD"]', '["A", "B"]'),
    "before a trailing comma": ('["A", "DEAD",]', '["A",]'),
    "the only one": ('["DEAD"]', "[]"),
    "all of them": ('["DEAD", "n", "num_warps"]', "[]"),
    "neighbours": ('["A", "DEAD", "n", "B", "num_warps"]', '["A", "B"]'),
    "of a pair": ('("A", "DEAD")', '("A",)'),
    "the first of a pair": ('("DEAD", "A")', '("A",)'),
    "of a tuple": ('("DEAD", "A", "B")', '("A", "B")'),
    "of two mentions": ('["A", "B", "A"]', '["A", "B"]'),
    "one a line": (
        '[\n        "A",\n        "DEAD",\n        "B",\n    ]',
        '[\n        "A",\n        "B",\n    ]',
    ),
    "one a line, the last": (
        '[\n        "A",\n        "DEAD",\n    ]',
        '[\n        "A",\n    ]',
    ),
    "one a line, all": ('[\n        "DEAD",\n        "n",\n    ]', "[]"),
    "comments of others stay": (
        '[\n        "A",  # tile\n        # dead:\n        "DEAD",\n        "B",  # split\n    ]',
        '[\n        "A",  # tile\n        # dead:\n        "B",  # split\n    ]',
    ),
    "the last of a full line": (
        '["A", "B", "DEAD",\n        "C"]',
        '["A", "B",\n        "C"]',
    ),
    "by keyword": ('config_keys=["A", "DEAD"]', 'config_keys=["A"]'),
}


@pytest.mark.parametrize(("before", "after"), REMOVED.values(), ids=REMOVED)
def test_removed(before: str, after: str) -> None:
    check_transformed(
        module(f'_k_repr = make_kernel_repr("k", {before})'),
        module(f'_k_repr = make_kernel_repr("k", {after})'),
    )


def test_a_comment_would_be_lost() -> None:
    builder = '_k_repr = make_kernel_repr(\n    "k",\n    [\n        "A",\n{}    ],\n)'
    source = module(builder.format('        "DEAD",  # was the tile\n'))
    check_noop(source)
    check_transformed(source, module(builder.format("")), unsafe=True)


def test_a_broken_line_is_joined_when_it_fits() -> None:
    keys = '["A", "B", "C", "DEAD", "DEAAAAAAAAAAAAAAAAD", "DEAAAAAAAAAAAAAAAAAAAAD"]'
    check_transformed(
        module(f'_k_repr = make_kernel_repr(\n    "k", {keys}\n)'),
        module('_k_repr = make_kernel_repr("k", ["A", "B", "C"])'),
    )


def test_a_list_in_a_variable() -> None:
    check_transformed(
        module('KEYS = ["A", "DEAD"]\n_k_repr = make_kernel_repr("k", KEYS)'),
        module('KEYS = ["A"]\n_k_repr = make_kernel_repr("k", KEYS)'),
    )


def test_a_list_that_something_else_reads() -> None:
    check_noop(
        module('KEYS = ["A", "DEAD"]\n_k_repr = make_kernel_repr("k", KEYS)\nprint(KEYS)'),
        unsafe=True,
    )


def test_a_list_that_another_file_imports() -> None:
    source = module('KEYS = ["A", "DEAD"]\n_k_repr = make_kernel_repr("k", KEYS)')
    files, outcome = fixed({"m.py": source, "use.py": "from m import KEYS\n\nprint(KEYS)\n"})
    assert not outcome.applied
    assert files["m.py"].decode() == source


def test_a_list_that_another_kernel_needs() -> None:
    check_noop(
        module(
            'KEYS = ["A", "DEAD"]\n_k_repr = make_kernel_repr("k", KEYS)\n'
            '_other_repr = make_kernel_repr("other", KEYS)',
            KERNEL
            + "    other[(1,)](x, DEAD=1, A=2)\n\n\n@triton.jit(repr=_other_repr)\n"
            + "def other(x, DEAD: tl.constexpr, A: tl.constexpr):\n    tl.store(x, A)\n",
        ),
        unsafe=True,
    )


def test_without_a_key_the_repr_of_a_kernel_without_constexpr_goes() -> None:
    kernel = """

@triton.jit{}
def bump(x, n):
    tl.store(x, n)


def run(x):
    bump[(1,)](x, 4)
"""
    head = HEAD.replace("from names import make_kernel_repr\n", "")
    check_transformed(
        HEAD
        + '_bump_repr = make_kernel_repr("bump", ["n", "DEAD"])\n'
        + kernel.format("(repr=_bump_repr)"),
        head + kernel.format("").removeprefix("\n"),
    )


VALUES = """

@triton.jit(repr=_k_repr)
def k(x, n, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    tl.store(x + n, A + B + C)


def run(x):
    k[(1,)](x, 4, A=1, B={}, C=2)
    k[(1,)](x, 4, A=1, B={}, C=2)
"""


@pytest.mark.parametrize("value", ["0.5", "-1", "run"])
def test_a_key_whose_values_are_wrong_goes_on_request(value: str) -> None:
    kernel = VALUES.format(value, value)
    source = module('_k_repr = make_kernel_repr("k", ["A", "B", "C"])', kernel)
    check_noop(source)
    check_transformed(
        source, module('_k_repr = make_kernel_repr("k", ["A", "C"])', kernel), unsafe=True
    )


ADDED = {
    "between": ('["A", "C"]', '["A", "B", "C"]'),
    "in front": ('["C"]', '["B", "C"]'),
    "behind": ('["A"]', '["A", "B"]'),
    "behind what is out of order": ('["C", "A"]', '["B", "C", "A"]'),
    "into an empty list": ("[]", '["B"]'),
    "one a line": (
        '[\n        "A",\n        "C",  # split\n    ]',
        '[\n        "A",\n        "B",\n        "C",  # split\n    ]',
    ),
    "one a line, behind": (
        '[\n        "A",  # tile\n    ]',
        '[\n        "A",  # tile\n        "B",\n    ]',
    ),
    "one a line, in front": ('[\n        "C",\n    ]', '[\n        "B",\n        "C",\n    ]'),
}


@pytest.mark.parametrize(("before", "after"), ADDED.values(), ids=ADDED)
def test_added(before: str, after: str) -> None:
    kernel = VALUES.format(8, 16)
    source = module(f'_k_repr = make_kernel_repr("k", {before})', kernel)
    check_noop(source)  # advice is hidden, and its fixes are not applied
    check_transformed(
        source,
        module(f'_k_repr = make_kernel_repr("k", {after})', kernel),
        select=("unlisted-constexpr",),
    )


def test_a_list_that_gets_too_long() -> None:
    kernel = VALUES.format(8, 16).replace("A", "A" * 60)
    check_transformed(
        module(f'_k_repr = make_kernel_repr("k", ["{"A" * 60}"])', kernel),
        module(
            f'_k_repr = make_kernel_repr(\n    "k",\n    ["{"A" * 60}", "B"],\n)',
            kernel,
        ),
        select=("unlisted-constexpr",),
    )


def test_two_missing_keys_at_one_place() -> None:
    kernel = VALUES.format(8, 16).replace("C=2)\n    k", "C=3)\n    k")
    outcome = check_transformed(
        module('_k_repr = make_kernel_repr("k", ["A"])', kernel),
        module('_k_repr = make_kernel_repr("k", ["A", "B", "C"])', kernel),
        select=("unlisted-constexpr",),
    )
    assert len(outcome.applied) == 2
