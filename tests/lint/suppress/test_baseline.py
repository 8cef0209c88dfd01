"""The baseline: what is there today is passed over, what is new is told."""

from __future__ import annotations

import json

import pytest

NAMES = "def make_kernel_repr(base_name, config_keys, name_key=None): ...\n"
HEAD = "import triton\nimport triton.language as tl\nfrom names import make_kernel_repr\n\n\n"


def kernel(name: str) -> str:
    return f"@triton.jit\ndef {name}(x, B: tl.constexpr):\n    tl.store(x, B)\n\n\n"


def module(*names: str) -> str:
    launches = "".join(f"    {name}[(1,)](x, B=8)\n" for name in names) or "    pass\n"
    return HEAD + "".join(map(kernel, names)) + "def run(x):\n" + launches


@pytest.fixture
def old(project, cli):
    """A project with two findings in its baseline."""
    project.write({"names.py": NAMES, "pkg/a.py": module("k"), "pkg/b.py": module("m")})
    done = cli("baseline")
    assert (done.code, done.err) == (0, "")
    assert done.out == "aiter-lint-baseline.json: 2 findings.\n"
    return project


def entries(project):
    return json.loads(project.read("aiter-lint-baseline.json"))["findings"]


def test_one_entry_a_line_in_order(old):
    rows = [
        '"path":"pkg/a.py","kernel":"k","text":"triton.jit","count":1},',
        '"path":"pkg/b.py","kernel":"m","text":"triton.jit","count":1}',
    ]
    assert old.read("aiter-lint-baseline.json") == (
        '{\n  "version": 1,\n  "findings": [\n'
        + "".join(f'    {{"rule":"missing-repr",{row}\n' for row in rows)
        + "  ]\n}\n"
    )


def test_what_is_listed_is_not_told(old, cli):
    done = cli("check")
    assert (done.code, done.err) == (0, "")
    assert "2 passed over by the baseline" in done.out


def test_only_what_is_new_is_told(old, cli):
    old.write({"pkg/a.py": module("k", "n")})
    done = cli("check", "--output-format", "json")
    assert done.code == 1
    assert [f["kernel"] for f in done.json] == ["n"]


def test_moving_code_changes_nothing(old, cli):
    text = old.read("pkg/a.py").replace(HEAD, HEAD + "# a comment\nX = 1\n\n\n")
    old.write({"pkg/a.py": text.replace("@triton.jit\n", "@triton . jit\n")})
    assert cli("check").code == 0


def test_the_same_in_another_file_is_new(old, cli):
    old.write({"pkg/c.py": module("k")})
    done = cli("check", "--output-format", "json")
    assert [f["path"] for f in done.json] == ["pkg/c.py"]


def test_an_entry_that_is_not_needed_fails_the_run(old, cli):
    old.write({"pkg/a.py": "x = 1\n"})
    done = cli("check")
    assert done.code == 1
    assert done.err == (
        "aiter-lint: error: aiter-lint-baseline.json: an entry is no longer needed (missing-repr "
        "of k in pkg/a.py): run `aiter-lint baseline --prune`\n"
    )
    assert cli("check", "--exit-zero").code == 0
    assert cli("check", "pkg/b.py").code == 0  # another file's entries are not this run's


def test_the_entry_of_a_file_that_is_gone(old, cli):
    (old.root / "pkg/a.py").unlink()
    assert cli("check").code == 1
    assert cli("check", "pkg").code == 1


def test_prune_takes_out_and_adds_nothing(old, cli):
    old.write({"pkg/a.py": module("other")})
    done = cli("baseline", "--prune")
    assert done.out == "aiter-lint-baseline.json: 1 finding, 1 removed.\n"
    assert [e["path"] for e in entries(old)] == ["pkg/b.py"]
    assert [f["kernel"] for f in cli("check", "--output-format", "json").json] == ["other"]


def test_prune_without_a_baseline(project, cli):
    done = cli("baseline", "--prune")
    assert done.code == 2
    assert done.err == (
        "aiter-lint: error: aiter-lint-baseline.json: there is no baseline to prune\n"
    )


def test_counts(project, cli):
    body = HEAD + (
        '@triton.jit(repr=make_kernel_repr("k", ["B"]))\ndef k(x, B: tl.constexpr):\n'
        "    tl.store(x, B)\n\n\ndef run(x):\n"
    )
    launch = "    k[(1,)](x, B=0.5)\n"
    project.write({"names.py": NAMES, "k.py": body + launch * 2})
    assert cli("baseline").code == 0
    assert [e["count"] for e in entries(project)] == [2]
    project.write({"k.py": body + launch * 3})
    assert len(cli("check", "--output-format", "json").json) == 1
    project.write({"k.py": body + launch})
    assert "no longer needed" in cli("check").err
    assert cli("baseline", "--prune").code == 0
    assert [e["count"] for e in entries(project)] == [1]


def test_paths_leave_other_files_alone(old, cli):
    old.write({"pkg/a.py": module("other"), "pkg/b.py": module("new")})
    assert cli("baseline", "pkg/a.py").code == 0
    assert [(e["path"], e["kernel"]) for e in entries(old)] == [
        ("pkg/a.py", "other"),
        ("pkg/b.py", "m"),
    ]


def test_writing_it_anew_is_the_same(old, cli):
    before = old.read("aiter-lint-baseline.json")
    assert cli("baseline").code == 0
    assert old.read("aiter-lint-baseline.json") == before


def test_what_does_not_run_is_not_judged(old, cli):
    old.write({"pkg/a.py": "x = 1\n"})
    assert cli("check", "--select", "AIT2").code == 0


def test_a_file_that_does_not_parse_keeps_its_entries(old, cli):
    old.write({"pkg/a.py": "def (:\n"})
    done = cli("check", "--output-format", "json")
    assert [f["code"] for f in done.json] == ["AIT003"]
    assert "no longer needed" not in done.err


def test_hidden_findings_are_matched_too(old, cli):
    assert cli("check", "--min-severity", "error").code == 0


def test_without_the_baseline(old, cli):
    assert len(cli("check", "--no-baseline", "--output-format", "json").json) == 2


def test_fix_leaves_what_is_listed(old, cli):
    before = old.read("pkg/a.py")
    old.write({"pkg/b.py": module("m", "n")})
    assert cli("fix").code == 0
    assert old.read("pkg/a.py") == before
    assert 'make_kernel_repr("n", ["B"])' in old.read("pkg/b.py")
    assert 'make_kernel_repr("m"' not in old.read("pkg/b.py")


def test_another_place(project, cli):
    project.write({"pyproject.toml": '[tool.aiter_lint]\nbaseline = "ci/known.json"\n'})
    project.write({"names.py": NAMES, "k.py": module("k"), "ci/README": ""})
    assert cli("baseline").out == "ci/known.json: 1 finding.\n"
    assert cli("check").code == 0
    assert cli("check", cwd="ci").code == 0


def test_a_place_that_is_not_there(project, cli):
    project.write({"pyproject.toml": '[tool.aiter_lint]\nbaseline = "ci/known.json"\n'})
    done = cli("baseline")
    assert done.code == 2
    assert done.err.startswith("aiter-lint: error: ci/known.json: can't be written: ")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "no baseline"),
        ("[" * 100_000, "no baseline"),
        ('{"version": 1, "findings": [{"rule": 3}]}', "no baseline"),
        ('{"version": 2, "findings": []}', "version 2 of the baseline is not known"),
    ],
)
def test_a_damaged_file(project, cli, content, message):
    project.write({"aiter-lint-baseline.json": content})
    done = cli("check")
    assert done.code == 2
    assert done.err.startswith("aiter-lint: error: aiter-lint-baseline.json: ")
    assert message in done.err
    assert done.err.count("\n") == 1
