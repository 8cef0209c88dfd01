"""What a finding carries beside its place: who it is about, the story, and what to do."""

from __future__ import annotations

from pathlib import Path

import case_files
import pytest

from aiter_lint.finding import (
    AddKey,
    Finding,
    InsertRepr,
    RemoveBuilder,
    RemoveKey,
    RemoveRepr,
    Severity,
    UseRepr,
)
from aiter_lint.rules.registry import get, rules
from aiter_lint.rules.rule import EXAMPLE_HEAD


def found(root: Path, text: str, *, advice: bool = False) -> list[Finding]:
    case = case_files.parse("# why: a project to look at\n" + text, head=EXAMPLE_HEAD)
    if advice:
        case.settings.append('extend-select = ["ALL"]\nfail-on = "advice"')
    case_files.write(case, root)
    (root / "names.py").write_text(case_files.NAMES, encoding="utf-8")
    return [f for f in case_files.lint(root) if f.rule != "kernel-outside-kernel-package"]


def one(root: Path, text: str, *, advice: bool = False) -> Finding:
    findings = found(root, text, advice=advice)
    assert [f.rule for f in findings][1:] == []
    return findings[0]


# --- messages ------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.name)
def test_messages_say_whom_it_is_about(rule, tmp_path: Path) -> None:
    for number, text in enumerate(rule.bad):
        root = tmp_path / str(number)
        root.mkdir()
        case = case_files.parse(text, head=EXAMPLE_HEAD)
        case.settings.append(f'extend-select = ["{rule.name}"]')
        case_files.write(case, root)
        (root / "names.py").write_text(case_files.NAMES, encoding="utf-8")
        for finding in case_files.lint(root):
            assert "\n" not in finding.message and not finding.message.endswith(".")
            assert len(finding.message) < 300
            if finding.kernel is not None:
                assert f"`{finding.kernel}`" in finding.message
            if finding.key is not None:
                assert finding.key in finding.message
            assert all(related.message for related in finding.related)


# --- severity ------------------------------------------------------------------------------

ACT = """\
@triton.jit
def silu(v):
    return v


@triton.jit(repr=make_kernel_repr("act", ["F"]))
def act(x, F: tl.constexpr):
    tl.store(x, 0)


def run(x, flag):
    act[(1,)](x, F={value})
"""


@pytest.mark.parametrize(
    ("value", "severity"),
    [
        ("silu", Severity.WARNING),
        ("lambda v: v", Severity.ERROR),
        ("silu if flag else lambda v: v", Severity.ERROR),
    ],
)
def test_a_jit_function_is_a_warning(value: str, severity: Severity, tmp_path: Path) -> None:
    finding = one(tmp_path, ACT.format(value=value))
    assert (finding.rule, finding.severity) == ("unstable-key-value", severity)
    assert get(finding.rule).severity is Severity.ERROR


# --- the story -----------------------------------------------------------------------------


def test_the_story_leads_from_the_launch_to_the_origin(tmp_path: Path) -> None:
    finding = one(
        tmp_path,
        """\
# --- k.py
import triton
import triton.language as tl
from names import make_kernel_repr

_scale_repr = make_kernel_repr("scale", ["B", "S"])


@triton.jit(repr=_scale_repr)
def scale(x, B: tl.constexpr, S: tl.constexpr):
    tl.store(x, B * S)


def launch(x, factor):
    scale[(1,)](x, B=8, S=factor)
# --- op.py
from k import launch


def op(x, alpha):
    launch(x, alpha)
# --- model.py
from op import op

HALF = 0.5


def forward(x):
    op(x, HALF)
""",
    )
    assert (finding.place.path, finding.place.span.line) == ("k.py", 14)
    told = [(related.place.path, related.place.span.line) for related in finding.related]
    chain = [place for place in told if place in [("op.py", 5), ("model.py", 7), ("model.py", 3)]]
    assert chain == [("op.py", 5), ("model.py", 7), ("model.py", 3)]
    assert told[-1] == ("k.py", 5)  # the key
    assert "0.5" in finding.message


def test_a_config_says_where_the_launch_is(tmp_path: Path) -> None:
    finding = one(
        tmp_path,
        """\
@triton.autotune(configs=[triton.Config({"B": -1})], key=["n"])
@triton.jit(repr=make_kernel_repr("scale", ["B"]))
def scale(x, n, B: tl.constexpr):
    tl.store(x + n, B)


def run(x, n):
    scale[(1,)](x, n)
    scale[(2,)](x, n)
""",
    )
    assert finding.place.span.line == 5
    assert "launched here" in finding.related[0].message
    assert finding.related[0].place.span.line == 12


def test_several_origins_are_one_finding(tmp_path: Path) -> None:
    calls = "".join(f"    launch(x, 0.{n})\n" for n in range(1, 8))
    finding = one(
        tmp_path,
        f"""\
@triton.jit(repr=make_kernel_repr("scale", ["S"]))
def scale(x, S: tl.constexpr):
    tl.store(x, S)


def launch(x, s):
    scale[(1,)](x, S=s)


def run(x):
{calls}""",
    )
    assert finding.rule == "float-key-value"
    assert any("4 more" in related.message for related in finding.related)


# --- repairs -------------------------------------------------------------------------------


def test_missing_repr_asks_for_a_stub(tmp_path: Path) -> None:
    finding = one(tmp_path, get("missing-repr").bad[0])
    assert finding.repair == InsertRepr("k.py:scale:6")


def test_missing_repr_asks_for_the_repr_that_is_there(tmp_path: Path) -> None:
    text = """\
{before}@triton.jit
def scale(x, B: tl.constexpr):
    tl.store(x, B)


{after}def run(x):
    scale[(1,)](x, B=8)
"""
    repr_ = '_scale_repr = make_kernel_repr("scale", ["B"])\n\n\n'
    finding = one(tmp_path, text.format(before=repr_, after=""))
    assert finding.repair == UseRepr("k.py:scale:9", "_scale_repr")
    finding = one(tmp_path, text.format(before="", after=repr_))
    assert finding.repair is None  # it has no value yet where the decorator is


def test_another_kernels_repr_asks_for_its_own(tmp_path: Path) -> None:
    finding = one(tmp_path, get("repr-of-another-kernel").bad[0])
    assert finding.repair == UseRepr("k.py:mm_shuffled:15", "_mm_shuffled_repr")


def test_a_repr_that_says_nothing_is_removed_where_the_name_stays(tmp_path: Path) -> None:
    text = """\
@triton.jit(repr=make_kernel_repr("{base}", []))
def bump(x, n):
    tl.store(x, n)


def run(x):
    bump[(1,)](x, 8)
"""
    finding = one(tmp_path, text.format(base="bump"), advice=True)
    assert finding.repair == RemoveRepr("k.py:bump:6")
    finding = one(tmp_path, text.format(base="bump_v2"), advice=True)
    assert finding.repair is None


def test_a_helpers_repr_is_removed(tmp_path: Path) -> None:
    finding = one(tmp_path, get("repr-on-device-helper").bad[0], advice=True)
    assert isinstance(finding.repair, RemoveRepr)


def test_an_unused_repr_is_removed(tmp_path: Path) -> None:
    finding = one(tmp_path, get("unused-repr").bad[0])
    assert finding.repair == RemoveBuilder(finding.place)


KEY = """\
{list}
_scale_repr = make_kernel_repr("scale", {keys})


@triton.jit(repr=_scale_repr)
def scale(x, B: tl.constexpr, S: tl.constexpr):
    tl.store(x, B)


@triton.jit(repr=make_kernel_repr("other", {others}))
def other(x, B: tl.constexpr, T: tl.constexpr):
    tl.store(x, B)


def run(x):
    scale[(1,)](x, B=8, S={value})
    other[(1,)](x, B=8, T=1)
"""


@pytest.mark.parametrize(
    ("text", "key", "unsafe"),
    [
        pytest.param(
            KEY.format(list="", keys='["B", "X"]', others='["B"]', value=1), "X", False, id="dead"
        ),
        pytest.param(
            KEY.format(list="", keys='["B", "B"]', others='["B"]', value=1), "B", False, id="twice"
        ),
        pytest.param(
            KEY.format(list="", keys='["B", "S"]', others='["B"]', value=0.5), "S", True, id="float"
        ),
        pytest.param(
            KEY.format(list='KEYS = ["B", "X"]', keys="KEYS", others='["T"]', value=1),
            "X",
            False,
            id="a list of its own",
        ),
    ],
)
def test_a_bad_key_is_removed(text: str, key: str, unsafe: bool, tmp_path: Path) -> None:
    finding = one(tmp_path, text)
    assert isinstance(finding.repair, RemoveKey)
    assert (finding.repair.key, finding.repair.unsafe) == (key, unsafe)
    assert finding.repair.literal.span.line in (5, 6)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            KEY.format(list='KEYS = ["B", "T"]', keys="KEYS", others="KEYS", value=1),
            id="another kernel needs the key",
        ),
        pytest.param(
            KEY.format(list='KEYS = ["B", "S"]', keys="KEYS", others="[*KEYS]", value=0.5).replace(
                "T: tl.constexpr", "T: tl.constexpr, S: tl.constexpr = 1"
            ),
            id="another kernel gives it good values",
        ),
    ],
)
def test_a_key_that_others_need_stays(text: str, tmp_path: Path) -> None:
    findings = [f for f in found(tmp_path, text) if f.kernel == "scale"]
    assert [f.repair for f in findings] == [None]


def test_a_key_that_is_dead_for_all_is_removed(tmp_path: Path) -> None:
    text = KEY.format(list='KEYS = ["B", "X"]', keys="KEYS", others="KEYS", value=1)
    findings = found(tmp_path, text)
    assert {f.kernel for f in findings} == {"scale", "other"}
    assert len({f.repair.literal for f in findings}) == 1


def test_an_unlisted_constexpr_is_added(tmp_path: Path) -> None:
    finding = one(tmp_path, get("unlisted-constexpr").bad[0], advice=True)
    assert isinstance(finding.repair, AddKey)
    assert (finding.repair.kernel, finding.repair.key) == ("k.py:attn:9", "CAUSAL")
