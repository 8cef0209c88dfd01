"""Where the builder comes from: names that are there, imports that are put in, cycles."""

from __future__ import annotations

import pytest

from tests.lint.fix.spec import check_noop, fixed, formatted

KERNEL = """

@triton.jit
def k(x, B: tl.constexpr):
    tl.store(x, B)


def run(x):
    k[(1,)](x, B=8)
"""
TRITON = "import triton\nimport triton.language as tl\n"


def imported(head: str, kernel: str = KERNEL, **files: str) -> str:
    """What stands above the stub after the fix of a module in a package, and how it is called."""
    project = {
        "names.py": None,
        "pkg/__init__.py": "",
        "pkg/names.py": "def make_kernel_repr(base_name, config_keys, name_key=None):\n    ...\n",
        "pkg/k.py": head + kernel,
        **{name.replace("__", "/", 1) + ".py": text for name, text in files.items()},
    }
    result, outcome = fixed(project)
    text = result["pkg/k.py"].decode()
    assert not outcome.refused
    assert formatted(head + kernel) != head + kernel or formatted(text) == text
    above, _, rest = text.partition("_k_repr = ")
    return above.rstrip("\n") + "\n" + rest.split("(", 1)[0] + "\n"


CASES = {
    "below other packages, apart": (
        TRITON,
        TRITON + "\nfrom pkg.names import make_kernel_repr\nmake_kernel_repr\n",
    ),
    "sorted into its own package's": (
        TRITON + "\nfrom pkg import alpha\nfrom pkg.zeta import z\n",
        TRITON
        + "\nfrom pkg import alpha\n"
        + "from pkg.names import make_kernel_repr\nfrom pkg.zeta import z\n"
        + "make_kernel_repr\n",
    ),
    "before the first of its own package's": (
        TRITON + "\nfrom pkg.zeta import z\n",
        TRITON
        + "\nfrom pkg.names import make_kernel_repr\nfrom pkg.zeta import z\nmake_kernel_repr\n",
    ),
    "above relative imports": (
        TRITON + "\nfrom .zeta import z\n",
        TRITON
        + "\nfrom pkg.names import make_kernel_repr\n\nfrom .zeta import z\nmake_kernel_repr\n",
    ),
    "into an import of the same module": (
        TRITON + "\nfrom pkg.names import alpha, zeta\n",
        TRITON + "\nfrom pkg.names import alpha, make_kernel_repr, zeta\nmake_kernel_repr\n",
    ),
    "into one that stands one name a line": (
        TRITON + "\nfrom pkg.names import (\n    alpha,  # a\n    zeta,\n)\n",
        TRITON
        + "\nfrom pkg.names import (\n    alpha,  # a\n    make_kernel_repr,\n    zeta,\n)\n"
        + "make_kernel_repr\n",
    ),
    "into one that gets too long": (
        TRITON
        + "\nfrom pkg.names import aaaaaaaaaaaaaaaaaaaaaaaaa, zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz\n",
        TRITON
        + "\nfrom pkg.names import (\n    aaaaaaaaaaaaaaaaaaaaaaaaa,\n    make_kernel_repr,\n"
        + "    zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz,\n)\nmake_kernel_repr\n",
    ),
    "not below code": (
        TRITON + "\nX = 1\nimport late\n",
        TRITON
        + "\nfrom pkg.names import make_kernel_repr\n\nX = 1\nimport late\nmake_kernel_repr\n",
    ),
    "under another name, as it is imported": (
        TRITON + "\nfrom pkg.names import make_kernel_repr as mk\n",
        TRITON + "\nfrom pkg.names import make_kernel_repr as mk\nmk\n",
    ),
    "relative, as it is imported": (
        TRITON + "\nfrom .names import make_kernel_repr\n",
        TRITON + "\nfrom .names import make_kernel_repr\nmake_kernel_repr\n",
    ),
    "through its module": (
        TRITON + "\nfrom pkg import names\n",
        TRITON + "\nfrom pkg import names\nnames.make_kernel_repr\n",
    ),
    "through its dotted module": (
        "import pkg.names\n" + TRITON,
        "import pkg.names\n" + TRITON + "pkg.names.make_kernel_repr\n",
    ),
    "the name means something else here": (
        TRITON + "\nmake_kernel_repr = None\n",
        TRITON
        + "\nfrom pkg.names import make_kernel_repr as _make_kernel_repr\n\n"
        + "make_kernel_repr = None\n_make_kernel_repr\n",
    ),
    "an import inside a function doesn't count": (
        TRITON + "\n\ndef other():\n    from pkg.names import make_kernel_repr\n",
        TRITON
        + "\nfrom pkg.names import make_kernel_repr\n\n\n"
        + "def other():\n    from pkg.names import make_kernel_repr\nmake_kernel_repr\n",
    ),
    "an import for type checkers doesn't count": (
        "from typing import TYPE_CHECKING\n\n"
        + TRITON
        + "\nif TYPE_CHECKING:\n    from pkg.names import make_kernel_repr\n",
        "from typing import TYPE_CHECKING\n\n"
        + TRITON
        + "\nfrom pkg.names import make_kernel_repr\n\n"
        + "if TYPE_CHECKING:\n    from pkg.names import make_kernel_repr\nmake_kernel_repr\n",
    ),
}


@pytest.mark.parametrize(("head", "wanted"), CASES.values(), ids=CASES)
def test_module_imports(head: str, wanted: str) -> None:
    assert imported(head) == wanted


def test_through_a_re_export() -> None:
    head = TRITON + "\nfrom pkg.api import make_kernel_repr\n"
    assert imported(head, pkg__api="from .names import make_kernel_repr\n") == (
        head + "make_kernel_repr\n"
    )


GUARDED = """
if HAVE_TRITON:

    @triton.jit
    def k(x, B: tl.constexpr):
        tl.store(x, B)


def run(x):
    k[(1,)](x, B=8)
"""


def test_inside_the_guard() -> None:
    head = """\
try:
    import triton
    import triton.language as tl

    HAVE_TRITON = True
except ImportError:
    HAVE_TRITON = False
"""
    assert imported(head, GUARDED).startswith(
        """\
try:
    import triton
    import triton.language as tl

    from pkg.names import make_kernel_repr

    HAVE_TRITON = True
"""
    )


def test_inside_an_if() -> None:
    head = """\
from importlib.util import find_spec

HAVE_TRITON = find_spec("triton") is not None

if HAVE_TRITON:
    import triton
    import triton.language as tl
"""
    assert imported(head, GUARDED).startswith(
        head + "\n    from pkg.names import make_kernel_repr\n"
    )


def test_a_kernel_outside_of_the_guard_needs_the_import_outside_too() -> None:
    head = """\
try:
    import triton
    import triton.language as tl
except ImportError:
    triton = None
import torch
"""
    assert imported(head) == head + "\nfrom pkg.names import make_kernel_repr\nmake_kernel_repr\n"


def test_the_builder_stands_in_the_same_module() -> None:
    builder = "\n\ndef make_kernel_repr(base_name, config_keys):\n    return str\n"
    files, outcome = fixed({"names.py": None, "m.py": TRITON + builder + KERNEL})
    assert len(outcome.applied) == 1
    assert b'_k_repr = make_kernel_repr("k", ["B"])' in files["m.py"]
    assert files["m.py"].count(b"import") == TRITON.count("import")


def test_the_builder_stands_below() -> None:
    builder = "\n\ndef make_kernel_repr(base_name, config_keys):\n    return str\n"
    check_noop(TRITON + KERNEL + builder, says="defined below", repr_builder="m.make_kernel_repr")


def test_no_builder() -> None:
    _, outcome = fixed({"names.py": "", "m.py": TRITON + KERNEL})
    assert not outcome.applied
    assert "set `repr-builder`" in outcome.left[0].message


def test_several_builders() -> None:
    builder = "def make_kernel_repr(base_name, config_keys):\n    return str\n"
    files = {"a.py": builder, "b.py": builder, "names.py": None, "m.py": TRITON + KERNEL}
    _, outcome = fixed(files)
    assert not outcome.applied
    assert "`a.make_kernel_repr`, `b.make_kernel_repr`" in outcome.left[0].message
    after, outcome = fixed(files, repr_builder="b.make_kernel_repr")
    assert len(outcome.applied) == 1
    assert b"from b import make_kernel_repr\n" in after["m.py"]


def test_an_installed_builder() -> None:
    after, outcome = fixed(
        {"names.py": None, "m.py": TRITON + KERNEL}, repr_builder="tritonnames.repr.build"
    )
    assert len(outcome.applied) == 1
    assert after["m.py"].decode().startswith(TRITON + "from tritonnames.repr import build\n")


# --- cycles


def test_a_cycle_is_not_made() -> None:
    files = {
        "names.py": None,
        "pkg/__init__.py": "",
        "pkg/names.py": "from pkg.mid import x\n\n\ndef make_kernel_repr(a, b):\n    return x\n",
        "pkg/mid.py": "from pkg import k\n\nx = k\n",
        "pkg/k.py": TRITON + KERNEL,
    }
    after, outcome = fixed(files)
    assert not outcome.applied
    assert after["pkg/k.py"].decode() == files["pkg/k.py"]
    assert "import cycle: pkg.k -> pkg.names -> pkg.mid -> pkg.k" in outcome.left[0].message


NO_CYCLES = {
    "the package around both imports the kernel": {
        "pkg/__init__.py": "from pkg.k import run\n",
        "pkg/names.py": "def make_kernel_repr(a, b):\n    return str\n",
    },
    "only a function of the builder's module imports the kernel": {
        "pkg/__init__.py": "",
        "pkg/names.py": "def make_kernel_repr(a, b):\n    import pkg.k\n\n    return pkg.k\n",
    },
    "only type checkers import the kernel": {
        "pkg/__init__.py": "",
        "pkg/names.py": "from typing import TYPE_CHECKING\n\n"
        "if TYPE_CHECKING:\n    import pkg.k\n\n\n"
        "def make_kernel_repr(a, b):\n    return str\n",
    },
}


@pytest.mark.parametrize("files", NO_CYCLES.values(), ids=NO_CYCLES)
def test_no_cycle(files: dict[str, str]) -> None:
    _, outcome = fixed({"names.py": None, "pkg/k.py": TRITON + KERNEL, **files})
    assert len(outcome.applied) == 1
