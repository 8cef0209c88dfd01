"""Every fault of a key list, in every form in which a repr is written."""

from __future__ import annotations

from pathlib import Path

import case_files
import pytest

from aiter_lint.rules.rule import EXAMPLE_HEAD

KEYS = {
    '"A", "B"': None,
    '"B", "A"': None,  # another order is no fault
    '"A"': None,  # which of them to show is for people to say
    '"A", "GONE"': "unknown-key",
    '"A", "a"': "unknown-key",
    '"A", "n"': "runtime-key",
    '"A", "p"': "runtime-key",
    '"A", "num_warps"': "launch-option-key",
    '"A", "kpack"': "launch-option-key",
    '"A", "B", "A"': "duplicate-key",
}

FORMS = {
    "in the decorator": '@triton.jit(repr=make_kernel_repr("k", [{keys}]))\n',
    "a tuple": '@triton.jit(repr=make_kernel_repr("k", ({keys},)))\n',
    "by keyword": '@triton.jit(repr=make_kernel_repr(config_keys=[{keys}], base_name="k"))\n',
    "a variable": '_k_repr = make_kernel_repr("k", [{keys}])\n\n\n@triton.jit(repr=_k_repr)\n',
    "a list's name": (
        'KEYS = [{keys}]\n_k_repr = make_kernel_repr("k", KEYS)\n\n\n@triton.jit(repr=_k_repr)\n'
    ),
    "a sum of lists": (
        'MORE = [{keys}]\n_k_repr = make_kernel_repr("k", [] + MORE)\n\n\n'
        "@triton.jit(repr=_k_repr)\n"
    ),
    "a starred list": (
        'MORE = [{keys}]\n_k_repr = make_kernel_repr("k", [*MORE])\n\n\n@triton.jit(repr=_k_repr)\n'
    ),
    "under another name": (
        'from names import make_kernel_repr as build\n\n\n@triton.jit(repr=build("k", [{keys}]))\n'
    ),
    "below other decorators": (
        '@triton.autotune(configs=[triton.Config({{"A": 8}})], key=["n"])\n'
        '@triton.heuristics({{"B": lambda args: 1}})\n'
        '@triton.jit(repr=make_kernel_repr("k", [{keys}]))\n'
    ),
    "with options beside it": (
        '@triton.jit(do_not_specialize=["n"], repr=make_kernel_repr("k", [{keys}]), debug=True)\n'
    ),
    "over several lines": (
        '@triton.jit(\n    repr=make_kernel_repr(\n        "k",\n        [\n            {keys},\n'
        "        ],\n    )\n)\n"
    ),
    "shared with another kernel": (
        'KEYS = [{keys}]\n\n\n@triton.jit(repr=make_kernel_repr("other", KEYS))\n'
        "def other(x, n: tl.constexpr, p: tl.constexpr, A: tl.constexpr, B: tl.constexpr,\n"
        "          GONE: tl.constexpr, a: tl.constexpr, num_warps: tl.constexpr,\n"
        "          kpack: tl.constexpr):\n    tl.store(x, A)\n\n\n"
        '@triton.jit(repr=make_kernel_repr("k", KEYS))\n'
    ),
}

KERNEL = """\
def k(x, n, p: tl.int32, A: tl.constexpr, B: tl.constexpr):
    tl.store(x + n * p, A * B)

"""


def linted(root: Path, text: str) -> list:
    case = case_files.parse("# why: a key list\n" + text, head=EXAMPLE_HEAD)
    case_files.write(case, root)
    (root / "names.py").write_text(case_files.NAMES, encoding="utf-8")
    return case_files.lint(root)


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("form", FORMS)
def test_form(form: str, keys: str, tmp_path: Path) -> None:
    launch = "def run(x, n):\n    k[(1,)](x, n, 1, A=8, B=1, num_warps=4)\n"
    if form == "below other decorators":
        launch = "def run(x, n):\n    k[(1,)](x, n, 1)\n"
    findings = linted(tmp_path, FORMS[form].format(keys=keys) + KERNEL + "\n" + launch)
    told = {f.rule for f in findings if f.kernel == "k"}
    assert told == ({KEYS[keys]} - {None})
    if form != "shared with another kernel":
        assert {f.rule for f in findings} == told
    for finding in findings:
        assert finding.key is not None and f"`{finding.key}`" in finding.message


@pytest.mark.parametrize(
    ("decorator", "rule"),
    [
        ("@triton.jit", "missing-repr"),
        ("@triton.jit()", "missing-repr"),
        ("@triton.jit(debug=True)", "missing-repr"),
        ('@triton.jit(repr="k")', "invalid-base-name"),
        ('@triton.jit(repr=make_kernel_repr("pkg.k", ["A", "B"]))', "invalid-base-name"),
        ('@triton.jit(repr=make_kernel_repr("other", ["A"]))', "repr-of-another-kernel"),
        ("@triton.jit(repr=_other_repr)", "repr-of-another-kernel"),
        ('@triton.jit(repr=make_kernel_repr("k", ["A", "B"], "GONE"))', "unknown-name-key"),
        ('@triton.jit(repr=make_kernel_repr("k", ["A", "B"], name_key="n"))', "unknown-name-key"),
        ('@triton.jit(do_not_specialize=["A"], repr=make_kernel_repr("k", ["A"]))',
         "constexpr-not-specialized"),
        ('@triton.jit(repr=make_kernel_repr("k", ["A", "B"]))', None),
        ("@triton.jit(repr=lambda spec: 'k')", None),
    ],
)  # fmt: skip
def test_decorator(decorator: str, rule: str | None, tmp_path: Path) -> None:
    text = f"""\
_other_repr = make_kernel_repr("other", ["A"])


@triton.jit(repr=_other_repr)
def other(x, A: tl.constexpr):
    tl.store(x, A)


{decorator}
{KERNEL}
def run(x, n):
    other[(1,)](x, A=8)
    k[(1,)](x, n, 1, A=8, B=1)
"""
    assert {f.rule for f in linted(tmp_path, text)} == ({rule} - {None})
