"""Ignore comments and per-file-ignores, as they are seen from the command line."""

from __future__ import annotations

import pytest

HEAD = "import triton\nimport triton.language as tl\nfrom names import make_kernel_repr\n\n"
NAMES = "def make_kernel_repr(base_name, config_keys, name_key=None): ...\n"


def places(project, cli, body: str, *options: str, **files: str):
    """(line, rule) of what is found in a module; lines count from the first after the head."""
    project.write({"names.py": NAMES, "k.py": HEAD + body, **files})
    done = cli("check", "--output-format", "json", *options)
    assert done.code in (0, 1), done.err
    lines = HEAD.count("\n")
    return [(line - lines, rule) for path, line, rule in done.places if path == "k.py"]


KERNEL = """\
@triton.jit{on_jit}
def k(x, B: tl.constexpr):{on_def}
    tl.store(x, B)


def run(x):
    k[(1,)](x, B=8){on_launch}
"""


def kernel(above="", on_jit="", on_def="", on_launch=""):
    return above + KERNEL.format(on_jit=on_jit, on_def=on_def, on_launch=on_launch)


# --- where a comment counts


def test_nothing_ignored(project, cli):
    assert places(project, cli, kernel()) == [(1, "missing-repr")]


@pytest.mark.parametrize("rule", ["missing-repr", "AIT101", "ait101", "unknown-key, missing-repr"])
def test_on_the_line(project, cli, rule):
    body = kernel(on_jit=f"  # aiter-lint: ignore[{rule}] shipped under this name")
    unused = [(1, "unused-ignore")] if "," in rule else []
    assert places(project, cli, body) == unused


def test_on_another_line(project, cli):
    body = kernel(on_def="  # aiter-lint: ignore[missing-repr]")
    assert places(project, cli, body) == [(1, "missing-repr"), (2, "unused-ignore")]


@pytest.mark.parametrize(
    "above",
    [
        "# aiter-lint: ignore[missing-repr]\n",
        "# aiter-lint: ignore[missing-repr] reason\n# more words\n\n",
        "# aiter-lint: ignore[missing-repr]\n@triton.heuristics({})\n",
        "# words\n# aiter-lint: ignore[AIT101]\n",
    ],
    ids=["directly", "with lines between", "above the other decorators", "below other comments"],
)
def test_above_the_decorators(project, cli, above):
    assert places(project, cli, kernel(above=above)) == []


def test_above_covers_the_signature(project, cli):
    body = """\
# aiter-lint: ignore[ineffective-option] tuned by hand
@triton.jit(repr=make_kernel_repr("k", ["B", "num_warps"]))
def k(
    x,
    B: tl.constexpr,
    num_warps: tl.constexpr = 4,
):
    tl.store(x, B)


def run(x):
    k[(1,)](x, B=8)
"""
    assert places(project, cli, body) == []
    assert places(project, cli, body.replace("# aiter-lint", "# no")) == [(6, "ineffective-option")]


def test_between_decorators_covers_what_is_below(project, cli):
    body = "@triton.heuristics({})\n# aiter-lint: ignore[missing-repr]\n" + kernel()
    assert places(project, cli, body) == []


def test_above_does_not_reach_into_the_body_nor_the_next_kernel(project, cli):
    second = kernel().replace("k(", "m(").replace("k[", "m[").replace("run", "go")
    body = kernel(above="# aiter-lint: ignore[missing-repr]\n") + "\n\n" + second
    assert places(project, cli, body) == [(11, "missing-repr")]


LAUNCH = """\
@triton.jit(repr=make_kernel_repr("k", ["A", "B"]))
def k(x, A: tl.constexpr, B: tl.constexpr):
    tl.store(x, A + B)


def run(x):
    {above}
    k[(1,)](
        x,
        {inside}
        A=0.5,
        B=0.25,{on_line}
    ){behind}
"""


def launch(above="pass", inside="# -", on_line="", behind=""):
    return LAUNCH.format(above=above, inside=inside, on_line=on_line, behind=behind)


IGNORE = "# aiter-lint: ignore[float-key-value]"


def test_above_a_statement_covers_all_its_lines(project, cli):
    assert places(project, cli, launch()) == [(11, "float-key-value"), (12, "float-key-value")]
    assert places(project, cli, launch(above=IGNORE)) == []


def test_inside_brackets_covers_the_next_line(project, cli):
    assert places(project, cli, launch(inside=IGNORE)) == [(12, "float-key-value")]


def test_at_the_end_covers_that_line_alone(project, cli):
    assert places(project, cli, launch(on_line="  " + IGNORE)) == [(11, "float-key-value")]
    assert places(project, cli, launch(behind="  " + IGNORE)) == [
        (11, "float-key-value"),
        (12, "float-key-value"),
        (13, "unused-ignore"),
    ]


def test_related_places_do_not_count(project, cli):
    # the finding is at the jit decorator; the launch only belongs to it
    body = kernel(on_launch="  # aiter-lint: ignore[missing-repr]")
    assert places(project, cli, body) == [(1, "missing-repr"), (7, "unused-ignore")]


@pytest.mark.parametrize("where", ["above", "behind"])
def test_a_whole_file(project, cli, where):
    comment = "# aiter-lint: ignore-file[missing-repr]\n"
    body = comment + kernel() if where == "above" else kernel() + comment
    assert places(project, cli, body) == []


def test_every_rule(project, cli):
    assert places(project, cli, kernel(on_jit="  # aiter-lint: ignore")) == []
    assert places(project, cli, "# aiter-lint: ignore-file generated\n" + kernel()) == []


def test_a_string_is_no_comment(project, cli):
    body = kernel() + 's = "# aiter-lint: ignore-file[missing-repr]"\n'
    assert places(project, cli, body) == [(1, "missing-repr")]


def test_below_it_nothing(project, cli):
    body = "x = 1\n# aiter-lint: ignore[missing-repr]\n"
    assert places(project, cli, body) == [(2, "unused-ignore")]


# --- comments that do nothing


def test_one_comment_one_finding(project, cli):
    body = kernel(on_def="  # aiter-lint: ignore[unknown-key, AIT202]")
    assert places(project, cli, body) == [(1, "missing-repr"), (2, "unused-ignore")]


def test_unused_in_part(project, cli):
    body = kernel(on_jit="  # aiter-lint: ignore[missing-repr, unknown-key]")
    project.write({"names.py": NAMES, "k.py": HEAD + body})
    (finding,) = cli("check", "--output-format", "json").json
    assert finding["column"] == len("@triton.jit  # aiter-lint: ignore[missing-repr, ") + 1
    assert '"unknown-key"' in finding["message"]


def test_unused_every_rule(project, cli):
    assert places(project, cli, "x = 1  # aiter-lint: ignore\n") == [(1, "unused-ignore")]
    assert places(project, cli, "x = 1  # aiter-lint: ignore\n", "--select", "AIT1,AIT001") == []


def test_a_rule_that_does_not_run_is_not_unused(project, cli):
    body = "x = 1  # aiter-lint: ignore[unknown-key]\n"
    assert places(project, cli, body, "--ignore", "unknown-key") == []
    assert places(project, cli, body, "--select", "AIT0,AIT1") == []
    assert places(project, cli, "x = 1  # aiter-lint: ignore[launch-outside-wrapper]\n") == []


def test_hidden_advice_is_not_unused(project, cli):
    body = (
        "# aiter-lint: ignore[AIT102]\n@triton.jit(repr=make_kernel_repr('k', []))\n"
        "def k(x):\n    tl.store(x, 1)\n\n\ndef run(x):\n    k[(1,)](x)\n"
    )
    assert places(project, cli, body) == []
    assert places(project, cli, body, "--min-severity", "advice") == []


def test_unknown_rules_have_hints(project, cli):
    body = kernel(on_jit="  # aiter-lint: ignore[mising-repr, qqq, ]")
    project.write({"names.py": NAMES, "k.py": HEAD + body})
    findings = [f for f in cli("check", "--output-format", "json").json if f["code"] == "AIT002"]
    assert [f["message"] for f in findings] == [
        'there is no rule "mising-repr" to ignore: did you mean "missing-repr"?',
        'there is no rule "qqq" to ignore: `aiter-lint rules` lists them all',
    ]


def test_no_rule_between_the_brackets(project, cli):
    assert places(project, cli, "x = 1  # aiter-lint: ignore[]\n") == [(1, "unknown-ignore")]


def test_complaints_can_be_ignored(project, cli):
    body = "x = 1  # aiter-lint: ignore[unknown-key, unused-ignore] for the next version\n"
    assert places(project, cli, body) == []
    body = "x = 1  # aiter-lint: ignore[no-such-rule, unknown-ignore]\n"
    assert places(project, cli, body) == []


def test_idle_comments_are_removed(project, cli):
    body = kernel(above="# aiter-lint: ignore[missing-repr, unknown-key, mising-rep] why\n")
    project.write({"names.py": NAMES, "k.py": HEAD + body})
    assert cli("fix").code == 0
    assert project.read("k.py").split("\n")[4] == "# aiter-lint: ignore[missing-repr] why"


# --- per-file-ignores


def test_per_file_ignores(project, cli):
    table = '[tool.aiter_lint.per-file-ignores]\n"tests/" = ["AIT1"]\n"!pkg" = ["missing-repr"]\n'
    project.write({"pyproject.toml": table, "names.py": NAMES})
    for folder in ("tests", "pkg", "pkg/tests", "other"):
        project.write({f"{folder}/k.py": HEAD + kernel()})
    done = cli("check", "--output-format", "json")
    assert [path for path, _, _ in done.places] == ["pkg/k.py"]
    done = cli("check", "--statistics", "--output-format", "concise")
    assert "3 ignored" in done.out


def test_per_file_ignores_on_the_command_line(project, cli):
    project.write({"names.py": NAMES, "a/k.py": HEAD + kernel(), "b/k.py": HEAD + kernel()})
    done = cli("check", "--output-format", "json", "--per-file-ignores", "a/**:AIT2,missing-repr")
    assert [path for path, _, _ in done.places] == ["b/k.py"]


def test_a_comment_is_used_where_per_file_ignores_count_too(project, cli):
    body = kernel(on_jit="  # aiter-lint: ignore[missing-repr]")
    assert places(project, cli, body, "--per-file-ignores", "k.py:missing-repr") == []
