"""Every kind of value, on every way that leads to a key: found where it is bad, and not where it
is good."""

from __future__ import annotations

from pathlib import Path

import case_files
import pytest

from aiter_lint.rules.rule import EXAMPLE_HEAD

KERNEL = """\

@triton.jit(repr=make_kernel_repr("k", ["B", "V"]))
def k(x, n, B: tl.constexpr, V: tl.constexpr{default}):
    tl.store(x + n, B)

"""

VALUES = {
    "4": None,
    "True": None,
    "None": None,
    '"relu"': None,
    "tl.float16": None,
    "7 // 2": None,
    "-(-3)": None,
    'float("inf")': None,
    "0.5": "float-key-value",
    "1e-6": "float-key-value",
    "1 / 3": "float-key-value",
    "-1": "negative-key-value",
    "-0.5": "negative-key-value",
    "3 - 4": "negative-key-value",
    "lambda v: v": "unstable-key-value",
    "helper": "unstable-key-value",
    "(1, 0.5)": "float-key-value",
    "(1, (2, -1))": "negative-key-value",
}

HELPER = """
@triton.jit
def helper(v):
    return v
"""

WAYS = {
    "keyword": "def run(x):\n    k[(1,)](x, 1, B=8, V={value})\n",
    "position": "def run(x):\n    k[(1,)](x, 1, 8, {value})\n",
    "starred": "def run(x):\n    args = (8, {value})\n    k[(1,)](x, 1, *args)\n",
    "mapping": 'def run(x):\n    k[(1,)](x, 1, **{{"B": 8, "V": {value}}})\n',
    "local": "def run(x):\n    v = {value}\n    w = v\n    k[(1,)](x, 1, B=8, V=w)\n",
    "annotated": "def run(x):\n    v: object = {value}\n    k[(1,)](x, 1, B=8, V=v)\n",
    "constant": "VALUE = {value}\n\n\ndef run(x):\n    k[(1,)](x, 1, B=8, V=VALUE)\n",
    "class attribute": (
        "class C:\n    value = {value}\n\n    def run(self, x):\n"
        "        k[(1,)](x, 1, B=8, V=self.value)\n"
    ),
    "instance attribute": (
        "class C:\n    def __init__(self):\n        self.value = {value}\n\n"
        "    def run(self, x):\n        k[(1,)](x, 1, B=8, V=self.value)\n"
    ),
    "branch": (
        "def run(x, flag):\n    v = 1\n    if flag:\n        v = {value}\n"
        "    k[(1,)](x, 1, B=8, V=v)\n"
    ),
    "conditional": "def run(x, flag):\n    k[(1,)](x, 1, B=8, V=1 if flag else ({value}))\n",
    "handler": (
        "def run(x, f):\n    try:\n        v = 1\n        f()\n    except KeyError:\n"
        "        v = {value}\n    k[(1,)](x, 1, B=8, V=v)\n"
    ),
    "loop": "def run(x):\n    for v in [1, {value}]:\n        k[(1,)](x, 1, B=8, V=v)\n",
    "with": "def run(x, d):\n    with d:\n        v = {value}\n    k[(1,)](x, 1, B=8, V=v)\n",
    "dict": 'def run(x):\n    c = {{"V": {value}}}\n    k[(1,)](x, 1, B=8, V=c["V"])\n',
    "dict call": "def run(x):\n    c = dict(B=8, V={value})\n    k[(1,)](x, 1, **c)\n",
    "dict entry": (
        'def run(x):\n    c = {{"B": 8}}\n    c["V"] = {value}\n    k[(1,)](x, 1, **c)\n'
    ),
    "dict update": (
        "def run(x):\n    c = {{}}\n    c.update(B=8, V={value})\n    k[(1,)](x, 1, **c)\n"
    ),
    "dict union": 'def run(x):\n    k[(1,)](x, 1, **({{"B": 8}} | {{"V": {value}}}))\n',
    "dict get": 'TABLE = {{"a": {value}}}\n\n\ndef run(x):\n    k[(1,)](x, 1, 8, TABLE.get("a"))\n',
    "table": (
        'TABLE = {{"a": 1, "b": {value}}}\n\n\ndef run(x, name):\n'
        "    k[(1,)](x, 1, 8, TABLE[name])\n"
    ),
    "caller": "def run(x, v):\n    k[(1,)](x, 1, B=8, V=v)\n\n\ndef go(x):\n    run(x, {value})\n",
    "caller's caller": (
        "def run(x, *, v):\n    k[(1,)](x, 1, B=8, V=v)\n\n\ndef mid(x, w):\n    run(x, v=w)\n\n\n"
        "def go(x):\n    mid(x, {value})\n"
    ),
    "caller's mapping": (
        "def run(x, v, n=1):\n    k[(1,)](x, n, B=8, V=v)\n\n\ndef go(x):\n"
        '    options = {{"v": {value}}}\n    run(x, **options)\n'
    ),
    "parameter's default": "def run(x, v={value}):\n    k[(1,)](x, 1, B=8, V=v)\n",
    "returned": (
        "def value():\n    return {value}\n\n\ndef run(x):\n    k[(1,)](x, 1, B=8, V=value())\n"
    ),
    "returned in a tuple": (
        "def values():\n    return 8, {value}\n\n\ndef run(x):\n    b, v = values()\n"
        "    k[(1,)](x, 1, B=b, V=v)\n"
    ),
    "returned in a dict": (
        'def config(n):\n    c = {{"B": 8}}\n    c["V"] = {value}\n    return c\n\n\n'
        "def run(x, n):\n    k[(1,)](x, 1, **config(n))\n"
    ),
    "closure": (
        "def run(x):\n    v = {value}\n\n    def go():\n        k[(1,)](x, 1, B=8, V=v)\n\n"
        "    go()\n"
    ),
    "autograd": (
        "import torch\n\n\nclass F(torch.autograd.Function):\n    @staticmethod\n"
        "    def forward(ctx, x, v):\n        k[(1,)](x, 1, B=8, V=v)\n\n\n"
        "def run(x):\n    F.apply(x, {value})\n"
    ),
    "launcher": (
        "def launch(kernel, x, v):\n    kernel[(1,)](x, 1, B=8, V=v)\n\n\n"
        "def run(x):\n    launch(k, x, {value})\n"
    ),
    "run": "def run(x):\n    k.run(x, 1, B=8, V={value}, grid=(1,), warmup=False)\n",
    "warmup": "def run(x):\n    k.warmup(x, 1, B=8, V={value}, grid=(1,))\n",
    "kept launch": "def run(x):\n    go = k[(1,)]\n    go(x, 1, B=8, V={value})\n",
}

TUNED = {
    "config": (
        '@triton.autotune(configs=[triton.Config({{"B": 8, "V": {value}}})], key=["n"])\n',
        "def run(x):\n    k[(1,)](x, 1)\n",
    ),
    "listed config": (
        'CONFIGS = [triton.Config({{"B": b, "V": {value}}}) for b in (8, 16)]\n\n\n'
        '@triton.autotune(configs=CONFIGS, key=["n"])\n',
        "def run(x):\n    k[(1,)](x, 1)\n",
    ),
    "heuristic": (
        '@triton.heuristics({{"V": lambda args: {value}}})\n',
        "def run(x):\n    k[(1,)](x, 1, B=8)\n",
    ),
}


ACCESS = {
    "name": "from consts import VALUE\n\n{kernel}\ndef run(x):\n    k[(1,)](x, 1, 8, VALUE)\n",
    "module": "import consts\n\n{kernel}\ndef run(x):\n    k[(1,)](x, 1, 8, consts.VALUE)\n",
    "star": "from consts import *\n\n{kernel}\ndef run(x):\n    k[(1,)](x, 1, 8, VALUE)\n",
    "class": "import consts as c\n\n{kernel}\ndef run(x):\n    k[(1,)](x, 1, 8, c.C.INNER)\n",
    "late": "{kernel}\ndef run(x):\n    from consts import get\n    k[(1,)](x, 1, 8, get())\n",
}


def rules_found(root: Path, text: str, files: dict[str, str] | None = None) -> set[str]:
    case = case_files.parse("# why: a value on its way\n" + text, head=EXAMPLE_HEAD)
    case_files.write(case, root)
    for name, content in {"names.py": case_files.NAMES, **(files or {})}.items():
        (root / name).write_text(content, encoding="utf-8")
    return {finding.rule for finding in case_files.lint(root)}


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("way", WAYS)
def test_way(way: str, value: str, tmp_path: Path) -> None:
    text = HELPER + KERNEL.format(default="") + "\n" + WAYS[way].format(value=value)
    assert rules_found(tmp_path, text) == ({VALUES[value]} - {None})


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("way", TUNED)
def test_way_by_tuning(way: str, value: str, tmp_path: Path) -> None:
    above, below = (text.format(value=value) for text in TUNED[way])
    text = HELPER + above + KERNEL.format(default="").lstrip("\n") + "\n" + below
    assert rules_found(tmp_path, text) == ({VALUES[value]} - {None})


@pytest.mark.parametrize("value", VALUES)
def test_way_by_default(value: str, tmp_path: Path) -> None:
    text = HELPER + KERNEL.format(default=f" = {value}") + "def run(x):\n    k[(1,)](x, 1, B=8)\n"
    assert rules_found(tmp_path, text) == ({VALUES[value]} - {None})


@pytest.mark.parametrize("value", [v for v in VALUES if "helper" not in v and "tl." not in v])
@pytest.mark.parametrize("access", ACCESS)
def test_way_from_another_file(access: str, value: str, tmp_path: Path) -> None:
    consts = f"VALUE = {value}\n\n\nclass C:\n    INNER = VALUE\n\n\ndef get():\n    return VALUE\n"
    text = ACCESS[access].format(kernel=KERNEL.format(default=""))
    found = rules_found(tmp_path, text, {"consts.py": consts})
    assert found == ({VALUES[value]} - {None})
