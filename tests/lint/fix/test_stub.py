"""missing-repr: stubs, their imports and their decorators."""

from __future__ import annotations

import pytest

from tests.lint.fix.spec import HEAD, check_noop, check_transformed, fixed

RUN = """

def run(x):
    k[(1,)](x, B=8)
"""
KERNEL = """\
@triton.jit
def k(x, B: tl.constexpr):
    tl.store(x, B)
"""
FIXED_KERNEL = """\
_k_repr = make_kernel_repr("k", ["B"])


@triton.jit(repr=_k_repr)
def k(x, B: tl.constexpr):
    tl.store(x, B)
"""

NOOPS = {
    "nobody launches it": HEAD + KERNEL,
    "it has a repr": HEAD + FIXED_KERNEL + RUN,
    "no constexpr parameter": HEAD + KERNEL.replace(": tl.constexpr", "") + RUN,
    "a helper": HEAD
    + """\
@triton.jit(repr=make_kernel_repr("outer", ["B"]))
def outer(x, B: tl.constexpr):
    k(x, B)


"""
    + KERNEL
    + RUN.replace("k[", "outer["),
    "silenced by a comment": HEAD + "# aiter-lint: ignore[missing-repr] old\n" + KERNEL + RUN,
}


@pytest.mark.parametrize("source", NOOPS.values(), ids=NOOPS)
def test_nothing_to_do(source: str) -> None:
    check_noop(source)


UNFIXABLE = {
    "the decorator's mapping may hold a repr": (
        HEAD + KERNEL.replace("@triton.jit", "@triton.jit(**OPTIONS)") + RUN,
        "`**` mapping",
    ),
    "Triton takes no such name": (
        HEAD + KERNEL.replace("k(", "größe(") + RUN.replace("k[", "größe["),
        "rename the kernel",
    ),
}


@pytest.mark.parametrize(("source", "says"), UNFIXABLE.values(), ids=UNFIXABLE)
def test_it_says_why_not(source: str, says: str) -> None:
    check_noop(source, says=says)


FORMS = {
    "bare": ("@triton.jit", "@triton.jit(repr=_k_repr)"),
    "called": ("@triton.jit()", "@triton.jit(repr=_k_repr)"),
    "with a comment": ("@triton.jit  # hot", "@triton.jit(repr=_k_repr)  # hot"),
    "with arguments": (
        '@triton.jit(do_not_specialize=["x"])',
        '@triton.jit(do_not_specialize=["x"], repr=_k_repr)',
    ),
    "one argument a line": (
        '@triton.jit(\n    do_not_specialize=["x"],  # why\n)',
        '@triton.jit(\n    do_not_specialize=["x"],  # why\n    repr=_k_repr,\n)',
    ),
    "no trailing comma": (
        '@triton.jit(\n    do_not_specialize=["x"]  # why\n)',
        '@triton.jit(\n    do_not_specialize=["x"],  # why\n    repr=_k_repr,\n)',
    ),
    "a comment between the parentheses": (
        "@triton.jit(\n    # nothing yet\n)",
        "@triton.jit(\n    repr=_k_repr,\n    # nothing yet\n)",
    ),
    "gets too long": (
        '@triton.jit(do_not_specialize=["x", "xxxxxxxxxxxxxxx", "yyyyyyyyyyyyyyyy", "zzzzz"])',
        "@triton.jit(\n"
        '    do_not_specialize=["x", "xxxxxxxxxxxxxxx", "yyyyyyyyyyyyyyyy", "zzzzz"],\n'
        "    repr=_k_repr,\n)",
    ),
    "below others": (
        "@triton.heuristics({})\n@triton.jit",
        "@triton.heuristics({})\n@triton.jit(repr=_k_repr)",
    ),
}


@pytest.mark.parametrize(("before", "after"), FORMS.values(), ids=FORMS)
def test_decorators(before: str, after: str) -> None:
    check_transformed(
        HEAD + "\n" + KERNEL.replace("@triton.jit", before) + RUN,
        HEAD + FIXED_KERNEL.replace("@triton.jit(repr=_k_repr)", after) + RUN,
    )


def test_jit_that_is_called_on_a_function() -> None:
    check_transformed(
        HEAD
        + """
def _impl(x, B: tl.constexpr):
    tl.store(x, B)


k = triton.jit(_impl)
"""
        + RUN,
        HEAD
        + """
def _impl(x, B: tl.constexpr):
    tl.store(x, B)


_impl_repr = make_kernel_repr("_impl", ["B"])
k = triton.jit(_impl, repr=_impl_repr)
"""
        + RUN,
    )


def test_gluon_with_metadata() -> None:
    check_transformed(
        """\
from names import make_kernel_repr
from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit(launch_metadata=lambda grid, kernel, args: {})
def k(x, B: gl.constexpr):
    gl.store(x, B)
"""
        + RUN,
        """\
from names import make_kernel_repr
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

_k_repr = make_kernel_repr("k", ["B"])


@gluon.jit(launch_metadata=lambda grid, kernel, args: {}, repr=_k_repr)
def k(x, B: gl.constexpr):
    gl.store(x, B)
"""
        + RUN,
    )


def test_comments_above_the_decorator_stay_with_it() -> None:
    check_transformed(
        HEAD
        + "\nX = 1\n\n\n# aiter-lint: ignore[unused-kernel] public\n# Scales x.\n"
        + KERNEL
        + RUN,
        HEAD
        + '\nX = 1\n\n\n_k_repr = make_kernel_repr("k", ["B"])\n\n\n'
        + "# aiter-lint: ignore[unused-kernel] public\n# Scales x.\n"
        + KERNEL.replace("triton.jit", "triton.jit(repr=_k_repr)")
        + RUN,
        ignore=("unused-ignore",),
    )


def test_a_cell_mark_is_no_comment_of_the_kernel() -> None:
    check_transformed(
        HEAD + "\nX = 1\n\n\n# %%\n" + KERNEL + RUN,
        HEAD + "\nX = 1\n\n\n# %%\n" + FIXED_KERNEL + RUN,
    )


def test_nested_in_a_factory() -> None:
    check_transformed(
        HEAD
        + """
def make(n):
    @triton.jit
    def k(x, B: tl.constexpr):
        tl.store(x, B + n)

    return k


def run(x):
    make(3)[(1,)](x, B=8)
""",
        HEAD
        + """
def make(n):
    _k_repr = make_kernel_repr("k", ["B"])

    @triton.jit(repr=_k_repr)
    def k(x, B: tl.constexpr):
        tl.store(x, B + n)

    return k


def run(x):
    make(3)[(1,)](x, B=8)
""",
    )


def test_static_method() -> None:
    check_transformed(
        HEAD
        + """
class Ops:
    \"\"\"Kernels.\"\"\"

    @staticmethod
    @triton.jit
    def k(x, B: tl.constexpr):
        tl.store(x, B)


def run(x):
    Ops.k[(1,)](x, B=8)
""",
        HEAD
        + """_k_repr = make_kernel_repr("k", ["B"])


class Ops:
    \"\"\"Kernels.\"\"\"

    @staticmethod
    @triton.jit(repr=_k_repr)
    def k(x, B: tl.constexpr):
        tl.store(x, B)


def run(x):
    Ops.k[(1,)](x, B=8)
""",
    )


def test_two_definitions_of_one_name() -> None:
    check_transformed(
        HEAD
        + """
if hasattr(tl, "dot"):

    @triton.jit
    def k(x, B: tl.constexpr):
        tl.store(x, B)

else:

    @triton.jit
    def k(x, B: tl.constexpr):
        tl.store(x, B + 0)
"""
        + RUN,
        HEAD
        + """
if hasattr(tl, "dot"):
    _k_repr = make_kernel_repr("k", ["B"])

    @triton.jit(repr=_k_repr)
    def k(x, B: tl.constexpr):
        tl.store(x, B)

else:
    _k_repr = make_kernel_repr("k", ["B"])

    @triton.jit(repr=_k_repr)
    def k(x, B: tl.constexpr):
        tl.store(x, B + 0)
"""
        + RUN,
    )


def test_tabs() -> None:
    check_transformed(
        HEAD
        + "\nif True:\n\t@triton.jit\n\tdef k(x, B: tl.constexpr):\n\t\ttl.store(x, B)\n"
        + RUN,
        HEAD
        + '\nif True:\n\t_k_repr = make_kernel_repr("k", ["B"])\n\n\t@triton.jit(repr=_k_repr)\n'
        + "\tdef k(x, B: tl.constexpr):\n\t\ttl.store(x, B)\n"
        + RUN,
    )


def test_no_key_is_left() -> None:
    check_transformed(
        HEAD
        + "\n"
        + KERNEL.replace("B:", "eps:").replace(", B)", ", eps)")
        + RUN.replace("B=8", "eps=0.5"),
        HEAD
        + '_k_repr = make_kernel_repr("k", [])\n\n\n'
        + KERNEL.replace("B:", "eps:")
        .replace(", B)", ", eps)")
        .replace("triton.jit", "triton.jit(repr=_k_repr)")
        + RUN.replace("B=8", "eps=0.5"),
    )


def test_many_keys_stand_one_a_line() -> None:
    names = [f"BLOCK_SIZE_{letter}" for letter in "ABCDEFGH"]
    params = "".join(f"    {name}: tl.constexpr,\n" for name in names)
    passed = ", ".join(f"{name}=1" for name in names[:3])
    rest = "".join(f"        {name}=1,\n" for name in names)
    del passed
    kernel = f"@triton.jit\ndef k(\n    x,\n{params}):\n    tl.store(x, BLOCK_SIZE_A)\n"
    launch = f"\n\ndef run(x):\n    k[(1,)](\n        x,\n{rest}    )\n"
    rows = "".join(f'        "{name}",\n' for name in names)
    check_transformed(
        HEAD + "\n" + kernel + launch,
        HEAD
        + f'_k_repr = make_kernel_repr(\n    "k",\n    [\n{rows}    ],\n)\n\n\n'
        + kernel.replace("triton.jit", "triton.jit(repr=_k_repr)")
        + launch,
    )


def test_the_name_is_taken() -> None:
    check_transformed(
        HEAD + "_k_repr = None\n\n\n" + KERNEL + RUN,
        HEAD + "_k_repr = None\n\n\n" + FIXED_KERNEL.replace("_k_repr", "_k_kernel_repr") + RUN,
    )


def test_static_methods_of_one_name() -> None:
    source = (
        HEAD
        + """
class A:
    @staticmethod
    @triton.jit
    def k(x, B: tl.constexpr):
        tl.store(x, B)


class C:
    @staticmethod
    @triton.jit
    def k(x, B: tl.constexpr):
        tl.store(x, B)


def run(x):
    A.k[(1,)](x, B=8)
    C.k[(1,)](x, B=8)
"""
    )
    files, _ = fixed({"m.py": source}, select=("missing-repr",))
    text = files["m.py"].decode()
    assert '_k_repr = make_kernel_repr("k", ["B"])\n\n\nclass A' in text
    assert '_k_kernel_repr = make_kernel_repr("k", ["B"])\n\n\nclass C' in text
    assert "jit(repr=_k_repr)" in text and "jit(repr=_k_kernel_repr)" in text


def test_looked_up_by_its_name() -> None:
    source = HEAD + "\n" + KERNEL + RUN + '    assert "k" in x.trace\n'
    check_noop(source)
    outcome = check_transformed(
        source, HEAD + FIXED_KERNEL + RUN + '    assert "k" in x.trace\n', unsafe=True
    )
    assert "looks for the name `k`" in outcome.applied[0].fix.title


def test_exported_by_its_name_is_not_looked_up() -> None:
    check_transformed(
        HEAD + '__all__ = ["k"]\n\n\n' + KERNEL + RUN,
        HEAD + '__all__ = ["k"]\n\n\n' + FIXED_KERNEL + RUN,
    )


def test_a_fallback_that_takes_no_repr_makes_it_unsafe() -> None:
    source = """\
import triton.language as tl
from names import make_kernel_repr

try:
    from triton import jit
except ImportError:

    def jit(function):
        return function


@jit
def k(x, B: tl.constexpr):
    tl.store(x, B)
"""
    check_noop(source + RUN)
