"""`kernels`, `explain` and `rules`."""

from __future__ import annotations

import json

import pytest

from aiter_lint.rules import registry

FILES = {
    "names.py": "def make_kernel_repr(base_name, config_keys, name_key=None): ...\n",
    "pkg/k.py": """\
import triton
import triton.language as tl
from names import make_kernel_repr
from triton.experimental import gluon
from triton.experimental.gluon import language as gl

_k_repr = make_kernel_repr("k_base", ["B", "EPS"], "NAME")


@triton.jit
def _helper(x):
    return x


@triton.jit(repr=_k_repr)
def k(x, stride_x: tl.constexpr, EPS: tl.constexpr, B: tl.constexpr = 8, NAME: tl.constexpr = None):
    tl.store(x, _helper(B) + EPS)


@gluon.jit(repr=lambda s: "g")
def g(x, B: gl.constexpr):
    pass


class Ops:
    @staticmethod
    @triton.jit
    def nobody(x):
        pass


def run(x, config):
    k[(1,)](x, x.stride(0), EPS=0.5, B=16)
    k[(1,)](x, x.stride(0), EPS=0.5, **config)
    g[(1,)](x, B=x.shape[0])
""",
}


@pytest.fixture(autouse=True)
def _files(project):
    project.write(FILES)


def test_json(cli):
    done = cli("kernels", "--output-format", "json")
    assert (done.code, done.err) == (0, "")
    records = {record["name"]: record for record in done.json}
    assert list(records) == ["_helper", "k", "g", "nobody"]
    roles = ["device", "launched", "launched", "unreferenced"]
    assert [record["role"] for record in records.values()] == roles
    assert records["nobody"]["qualname"] == "Ops.nobody"
    assert records["g"]["dialect"] == "gluon"
    assert records["g"]["repr"] == {"kind": "custom", "base": None, "keys": None, "name_key": None}
    k = records["k"]
    assert (k["path"], k["line"], k["column"], k["dialect"]) == ("pkg/k.py", 16, 1, "triton")
    assert k["params"] == [
        {"name": "x", "constexpr": False, "default": None},
        {"name": "stride_x", "constexpr": True, "default": None},
        {"name": "EPS", "constexpr": True, "default": None},
        {"name": "B", "constexpr": True, "default": "8"},
        {"name": "NAME", "constexpr": True, "default": "None"},
    ]
    assert k["repr"] == {
        "kind": "builder",
        "base": "k_base",
        "keys": ["B", "EPS"],
        "name_key": "NAME",
    }
    assert "B" in k["suggested_keys"]
    assert set(k["left_out"]) >= {"stride_x", "EPS"}
    first, second = k["launches"]
    assert (first["path"], first["line"], first["column"]) == ("pkg/k.py", 33, 5)
    assert first["values"]["B"] == {"classes": ["int"], "resolved": True, "reason": None}
    assert first["values"]["EPS"]["classes"] == ["float"]
    assert second["values"]["B"]["resolved"] is False
    assert second["values"]["B"]["reason"]


def test_text(cli):
    done = cli("kernels", "pkg")
    assert (done.code, done.err) == (0, "")
    rows = done.out.splitlines()
    assert rows[1].split() == ("pkg/k.py:16 k triton launched 2 launches k_base [B, EPS]".split())
    assert rows[2].endswith("custom repr")
    assert rows[-1] == "4 kernels, 2 launched."


def test_verbose_gives_reasons(cli):
    out = cli("kernels", "--verbose").out
    assert "    suggested keys: B" in out
    assert "    left out: stride_x: a stride\n" in out
    assert "    launch: pkg/k.py:33\n" in out
    assert "        EPS: float\n" in out


def test_paths_choose_what_is_listed(project, cli):
    project.write({"other.py": "import triton\n\n\n@triton.jit\ndef o(x): pass\n"})
    assert [k["name"] for k in cli("kernels", "other.py", "--output-format", "json").json] == ["o"]
    assert cli("kernels", "names.py").out == "0 kernels, 0 launched.\n"
    done = cli("kernels", "--output-format", "json", cwd="pkg")
    assert {k["path"] for k in done.json} == {"k.py"}


ENTRY = """\
import triton
import triton.language as tl


@triton.jit
def lookup(x, DIM: tl.constexpr, RANK: tl.constexpr):
    tl.store(x, DIM + RANK)


def run(x, table):
    lookup[(1,)](x, DIM=table.dim, RANK=x.dim())
"""


def test_an_attribute_is_no_method_of_a_tensor(project, cli):
    project.write({"entry.py": ENTRY})
    (kernel,) = cli("kernels", "entry.py", "--output-format", "json").json
    values = kernel["launches"][0]["values"]
    assert values["DIM"]["classes"] == ["unknown"]
    assert values["RANK"]["classes"] == ["int"]
    assert kernel["suggested_keys"] == ["DIM", "RANK"]


def test_to_a_file(project, cli):
    assert cli("kernels", "--output-format", "json", "--output-file", "out.json").out == ""
    assert len(json.loads(project.read("out.json"))) == 4


def test_a_file_that_does_not_parse_is_said(project, cli):
    project.write({"bad.py": "def (:\n"})
    done = cli("kernels", "--output-format", "json")
    assert (done.code, len(done.json)) == (0, 4)
    assert done.err.startswith("aiter-lint: note: bad.py:1: ")


# --- explain, rules


@pytest.mark.parametrize("name", ["AIT201", "unknown-key", "ait201", "UNKNOWN-KEY"])
def test_explain(cli, name):
    done = cli("explain", name)
    assert done.code == 0
    assert done.out.startswith("# AIT201 unknown-key\n")
    assert "## Fix safety" in done.out


def test_explain_json(cli):
    record = cli("explain", "unknown-key", "--output-format", "json").json
    page = record.pop("page")
    assert page == cli("explain", "unknown-key").out
    summary = record.pop("summary")
    assert summary
    assert record == {
        "code": "AIT201",
        "name": "unknown-key",
        "severity": "error",
        "default": True,
        "fix": "sometimes",
        "options": record["options"],
    }


def test_explain_something_else(cli):
    done = cli("explain", "unkown-key")
    assert done.code == 2
    assert done.err == (
        'aiter-lint: error: unknown rule "unkown-key": did you mean "unknown-key"?\n'
    )


def test_rules(cli):
    out = cli("rules").out.splitlines()
    assert [line.split()[:2] for line in out] == [[r.code, r.name] for r in registry.rules()]
    assert any("error, off" in line for line in out)


def test_rules_json(cli):
    records = cli("rules", "--output-format", "json").json
    assert [record["code"] for record in records] == [rule.code for rule in registry.rules()]
