"""Data flows one way: a stage imports earlier stages, never later ones; and a start is cheap."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import aiter_lint

PACKAGE = Path(aiter_lint.__file__).parent

# Earlier to later. What stands together is one stage.
STAGES = (
    ("span", "nearest"),
    ("finding",),
    ("settings",),
    ("discover",),
    ("read",),
    ("cache",),
    ("link",),
    ("rules",),
    ("suppress",),
    ("fix",),
    ("report",),
    ("pipeline",),
    ("cli",),
    ("__main__",),
)
RANK = {name: rank for rank, names in enumerate(STAGES) for name in names}

FILES = sorted(PACKAGE.rglob("*.py"))


def stage(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported(path: Path) -> list[tuple[int, str]]:
    """(line, stage) of every import of the package in a file, also inside functions and those
    for types alone."""
    found = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            names = [node.module or ""]
            if node.module == "aiter_lint":
                names = [f"aiter_lint.{alias.name}" for alias in node.names]
        else:
            continue
        found += [
            (node.lineno, name.split(".")[1]) for name in names if name.startswith("aiter_lint.")
        ]
    return [(line, name) for line, name in found if name != "__version__"]


def test_every_module_belongs_to_a_stage():
    assert {stage(path) for path in FILES} - {"__init__"} <= set(RANK)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_no_stage_imports_a_later_one(path):
    here = stage(path)
    wrong = [
        f"line {line}: {here} imports {name}"
        for line, name in imported(path)
        if RANK[name] > RANK.get(here, -1)
    ]
    assert not wrong


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_no_module_is_a_drawer_for_odds_and_ends(path):
    assert path.stem not in ("utils", "helpers", "misc", "core", "common")


def loaded(code: str, cwd: Path) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after running the code."""
    report = "import sys; print('\\n'.join({name.split('.')[0] for name in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\n{report}"],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_the_linter_loads_neither_torch_nor_triton(tmp_path):
    modules = [
        "aiter_lint." + path.relative_to(PACKAGE).with_suffix("").as_posix().replace("/", ".")
        for path in FILES
        if path.stem not in ("__init__", "__main__")
    ]
    code = "import aiter_lint\n" + "\n".join(f"import {name}" for name in modules)
    assert not loaded(code, tmp_path) & {"torch", "triton", "numpy", "kernels"}


PROJECT = {
    "pyproject.toml": "[tool.aiter_lint]\n",
    "names.py": "def make_kernel_repr(base_name, config_keys, name_key=None): ...\n",
    "k.py": """\
import triton
import triton.language as tl
from names import make_kernel_repr

_k_repr = make_kernel_repr("k", ["BLOCK", "BLCK"])


@triton.jit(repr=_k_repr)
def k(x, BLOCK: tl.constexpr):
    tl.store(x, BLOCK)


def run(x):
    k[(1,)](x, BLOCK=8)
""",
}

HEAVY = {"click", "rich", "pathspec", "libcst", "json", "dataclasses", "difflib"}

CHECK = """
import contextlib, io
from aiter_lint.__main__ import main
with contextlib.redirect_stdout(io.StringIO()) as shown:
    code = main(["check"])
assert code == 1, shown.getvalue()
"""


def test_a_run_where_nothing_changed_loads_nothing_heavy(tmp_path):
    for name, text in PROJECT.items():
        (tmp_path / name).write_text(text)
    loaded(CHECK, tmp_path)  # fills the cache
    assert not loaded(CHECK, tmp_path) & HEAVY
