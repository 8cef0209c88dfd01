"""`aiter-lint check`: options, exit codes, and that nothing but the project matters."""

from __future__ import annotations

import itertools
import json
import os

import msgspec
import pytest

from aiter_lint.read import files
from aiter_lint.rules import registry

NAMES = "def make_kernel_repr(base_name, config_keys, name_key=None): ...\n"
HEAD = "import triton\nimport triton.language as tl\nfrom names import make_kernel_repr\n\n\n"
KERNEL = (
    '@triton.jit(repr=make_kernel_repr("k", [{keys}]))\n'
    "def k(x, B: tl.constexpr):\n    tl.store(x, B)\n"
)
LAUNCH = "\n\ndef run(x):\n    k[(1,)](x, B=8)\n"
CLEAN = HEAD + KERNEL.format(keys='"B"') + LAUNCH
WRONG = HEAD + KERNEL.format(keys='"B", "C"') + LAUNCH  # an error: unknown-key
WARNING = HEAD + KERNEL.format(keys='"B", "B"') + LAUNCH  # a warning: duplicate-key
ADVICE = HEAD + "@triton.jit\ndef helper(x):\n    return x\n"  # advice: unused-kernel


@pytest.fixture(autouse=True)
def _names(project):
    project.write({"names.py": NAMES})


# --- exit codes


@pytest.mark.parametrize(
    ("content", "options", "code"),
    [
        (CLEAN, [], 0),
        (WRONG, [], 1),
        (WRONG, ["--exit-zero"], 0),
        (WARNING, [], 1),
        (WARNING, ["--fail-on", "error"], 0),
        (ADVICE, [], 0),
        (ADVICE, ["--fail-on", "advice"], 1),
        (ADVICE, ["--min-severity", "advice"], 0),
        ("def (:\n", [], 1),
    ],
)
def test_exit_code(project, cli, content, options, code):
    project.write({"k.py": content})
    done = cli("check", *options)
    assert (done.code, done.err) == (code, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.py"], "nowhere.py: no such file or folder"),
        (["names.py/x"], "names.py/x: no such file or folder"),
        (["--select", "AIT999"], '--select: unknown rule "AIT999"'),
        (["--ignore", "unkown-key"], 'unknown rule "unkown-key": did you mean "unknown-key"?'),
        (["--per-file-ignores", "a:b"], '--per-file-ignores: unknown rule "b"'),
        (["--per-file-ignores", "AIT101"], 'expected PATTERN:RULE, found "AIT101"'),
        (["--min-severity", "loud"], "expected advice, error or warning"),
        (["--output-format", "jsno"], 'there is no output format "jsno": did you mean "json"?'),
        (["--config", "nowhere.toml"], "--config: there is no file nowhere.toml"),
        (["--config", "names.py"], "names.py: not valid TOML"),
        (["-j", "many"], '--jobs: expected a number of processes, found "many"'),
        (["-j", "-3"], "--jobs: expected an integer >= 0"),
        (["--colour"], "--colour"),
        (["--stdin-filename", "k.py", "names.py"], "--stdin-filename: give no PATHS beside it"),
        (["--output-file", "no/such/folder"], "no/such/folder: can't be written: "),
    ],
)
def test_mistakes_are_one_line(cli, arguments, message):
    done = cli("check", *arguments)
    assert done.code == 2
    assert message in done.err
    assert done.err.startswith("aiter-lint: error: ")
    assert done.err.count("\n") == 1


def test_all_missing_paths_are_named(cli):
    done = cli("check", "a.py", "b.py")
    assert done.code == 2
    assert [line.split(": ")[2] for line in done.err.splitlines()] == ["a.py", "b.py"]


def test_mistakes_in_settings_and_rules_come_together(project, cli):
    project.write({"pyproject.toml": '[tool.aiter_lint]\nselect = ["AIT999", "unkown-key"]\n'})
    done = cli("check", "--ignore", "qqq")
    assert done.code == 2
    assert [line.removeprefix("aiter-lint: error: ") for line in done.err.splitlines()] == [
        'pyproject.toml:2: select: unknown rule "AIT999": `aiter-lint rules` lists them all',
        'pyproject.toml:2: select: unknown rule "unkown-key": did you mean "unknown-key"?',
        '--ignore: unknown rule "qqq": `aiter-lint rules` lists them all',
    ]


def test_a_device_is_no_file(cli):
    done = cli("check", os.devnull)
    assert done.code == 2
    assert done.err == f"aiter-lint: error: {os.devnull}: neither a file nor a folder\n"


def test_a_file_that_cannot_be_read_is_said_last(project, cli, monkeypatch):
    project.write({"k.py": WRONG, "shut.py": ""})
    real = files.read_bytes

    def refuse(root, path):
        if path == "shut.py":
            raise PermissionError(13, "Permission denied")
        return real(root, path)

    monkeypatch.setattr(files, "read_bytes", refuse)
    done = cli("check", "--output-format", "concise")
    assert done.code == 2
    assert "unknown-key" in done.out
    assert done.err == "aiter-lint: error: shut.py: can't be read: Permission denied\n"
    before = project.read("k.py")
    done = cli("fix")
    assert done.code == 2
    assert "nothing was fixed, because the run is not complete" in done.err
    assert project.read("k.py") == before


def test_a_file_that_does_not_parse_does_not_stop_the_run(project, cli):
    project.write({"bad.py": "print 1\n", "nul.py": b"a\0b", "latin.py": b"\xe9", "k.py": WRONG})
    done = cli("check", "--output-format", "json")
    assert done.code == 1
    assert sorted((path, rule) for path, _, rule in done.places) == [
        ("bad.py", "invalid-syntax"),
        ("k.py", "unknown-key"),
        ("latin.py", "invalid-syntax"),
        ("nul.py", "invalid-syntax"),
    ]


def test_a_rule_that_crashes(project, cli, monkeypatch):
    def check(found, settings):
        for kernel in found.kernels:
            raise ValueError(f"no luck\nwith {kernel.name}")
        yield

    rules = [
        msgspec.structs.replace(rule, check=check) if rule.code == "AIT204" else rule
        for rule in registry.rules()
    ]
    monkeypatch.setattr(registry, "rules", lambda: tuple(rules))
    project.write({"pkg/k.py": WRONG + "# aiter-lint: ignore-file[duplicate-key]\n"})
    done = cli("check", "--output-format", "json")
    assert done.code == 2
    assert [rule for _, _, rule in done.places] == ["unknown-key"]  # and no unused-ignore
    assert done.err.startswith(
        "aiter-lint: error: rule AIT204 duplicate-key crashed on pkg/k.py: ValueError: no luck ("
    )
    assert done.err.endswith("; the other rules went on\n")
    assert done.err.count("\n") == 1


def test_a_crash_is_one_line(project, cli, monkeypatch):
    def crash(*_):
        raise RuntimeError("oh\nno")

    monkeypatch.setattr("aiter_lint.pipeline.stages.link", crash)
    done = cli("check")
    assert done.code == 2
    assert done.err.startswith("aiter-lint: error: internal error: RuntimeError: oh (")
    assert done.err.count("\n") == 1
    monkeypatch.setenv("AITER_LINT_TRACEBACK", "1")
    assert "Traceback" in cli("check").err


# --- what is reported


def test_the_project_is_read_whole(project, cli):
    """The kernel is launched in another file than the one that is named."""
    kernel = HEAD + "@triton.jit\ndef k(x, B: tl.constexpr):\n    tl.store(x, B)\n"
    project.write({"a.py": kernel, "b.py": "from a import k\nk[(1,)](1, B=8)\n"})
    assert cli("check", "a.py", "--output-format", "json").places == [("a.py", 6, "missing-repr")]
    assert cli("check", "b.py").code == 0


def test_a_package_without_a_project(project, cli):
    """A folder `triton` in it is not the triton that it imports, and nothing beside it is read."""
    (project.root / "pyproject.toml").unlink()
    user = "from pkg.k import k\n\nk[(1,)](1, B=8)\n"
    kernel = HEAD + "@triton.jit\ndef k(x, B: tl.constexpr):\n    tl.store(x, B)\n"
    project.write({"pkg/__init__.py": "", "pkg/triton/__init__.py": "", "pkg/k.py": kernel})
    project.write({"pkg/user.py": user, "other/bad.py": "def (:"})
    assert cli("check", "pkg", "--output-format", "json").places == [
        ("pkg/k.py", 6, "missing-repr")
    ]
    assert cli("check", "pkg", "--show-files").out.count("\n") == 4


def tree(project):
    project.write({f"p{i}/k{j}.py": WRONG for i in range(3) for j in range(3)})
    project.write({"p1/w.py": WARNING, "bad.py": "print 1\n"})
    return ["p0", "p1", "p2", "bad.py"]


def test_the_order_of_paths_does_not_matter(project, cli):
    paths = tree(project)
    seen = {cli("check", *order).out for order in itertools.permutations(paths)}
    seen.add(cli("check", *paths, "p1/w.py", "p0/../p1").out)
    seen.add(cli("check", "names.py", *paths).out.replace("12 files", "11 files"))
    assert len(seen) == 1


def test_a_file_gets_the_same_answer_alone(project, cli):
    tree(project)
    whole = cli("check", "--output-format", "json").json
    for path in {finding["path"] for finding in whole}:
        alone = cli("check", path, "--output-format", "json").json
        assert alone == [finding for finding in whole if finding["path"] == path]


def test_the_number_of_processes_does_not_matter(project, cli, monkeypatch):
    tree(project)
    one = cli("check", "-j", "1", "--statistics")
    monkeypatch.setattr(files, "WORTH_A_PROCESS", 1)
    monkeypatch.setattr(files, "_BATCH", 1)
    assert cli("check", "-j", "3", "--statistics") == one


def test_where_the_user_stands_changes_paths_only(project, cli):
    project.write({"a/b/k.py": WRONG, "c/k.py": WRONG})
    assert [p for p, _, _ in cli("check", "--output-format", "json", cwd="a").places] == ["b/k.py"]
    done = cli("check", "../..", "--output-format", "json", cwd="a/b")
    assert [path for path, _, _ in done.places] == ["k.py", "../../c/k.py"]
    assert {path for path, _, _ in cli("check", "--output-format", "json").places} == {
        "a/b/k.py",
        "c/k.py",
    }


def test_a_path_through_a_link(project, cli):
    project.write({"pkg/k.py": WRONG})
    (project.root / "alias").symlink_to("pkg")
    done = cli("check", "alias", "--output-format", "json")
    assert [path for path, _, _ in done.places] == ["pkg/k.py"]


def test_excluded_files(project, cli):
    project.write({"pyproject.toml": '[tool.aiter_lint]\nexclude = ["gen"]\n', "gen/k.py": WRONG})
    assert cli("check").code == 0
    assert cli("check", "gen/k.py").code == 1
    assert cli("check", "gen").code == 1
    assert cli("check", "gen/k.py", "--force-exclude").code == 0
    assert cli("check", "gen", "--force-exclude").code == 0


def test_named_files_of_other_kinds_are_passed_over(project, cli):
    project.write({"README.md": "# not Python", "a.json": "{"})
    assert cli("check", "README.md", "a.json").code == 0


def test_configuration_from_elsewhere(project, cli):
    project.write({"k.py": WRONG, "ci/lint.toml": '[tool.aiter_lint]\nignore = ["AIT201"]\n'})
    assert cli("check", "--config", "ci/lint.toml").code == 0
    assert cli("check", "--config", "lint.toml", "..", cwd="ci").code == 0


# --- selection


def rules(cli, *options: str) -> list[str]:
    return sorted({rule for _, _, rule in cli("check", "--output-format", "json", *options).places})


def test_selection(project, cli):
    project.write({"w.py": WARNING, "k.py": WRONG, "a.py": ADVICE})
    assert rules(cli) == ["duplicate-key", "unknown-key"]
    assert rules(cli, "--select", "duplicate-key") == ["duplicate-key"]
    assert rules(cli, "--select", "AIT2", "--ignore", "AIT204") == ["unknown-key"]
    assert rules(cli, "--select", "AIT204,AIT201") == ["duplicate-key", "unknown-key"]
    assert rules(cli, "--select", "AIT204", "--extend-select", "AIT201") == [
        "duplicate-key",
        "unknown-key",
    ]
    assert rules(cli, "--min-severity", "error") == ["unknown-key"]


def test_advice_is_shown_where_it_is_asked_for(project, cli):
    project.write({"a.py": ADVICE})
    assert rules(cli) == []
    assert rules(cli, "--min-severity", "advice") == ["unused-kernel"]
    assert rules(cli, "--extend-select", "unused-kernel") == ["unused-kernel"]
    assert rules(cli, "--select", "AIT401") == ["unused-kernel"]
    assert rules(cli, "--select", "AIT4") == []  # not by its own name
    assert "1 piece of advice" in cli("check").out


def test_what_fails_the_run_is_shown(project, cli):
    project.write({"a.py": ADVICE})
    assert rules(cli, "--fail-on", "advice") == ["unused-kernel"]


# --- where it goes


def test_several_formats(project, cli):
    project.write({"k.py": WRONG})
    done = cli(
        "check", "--output-format", "concise", "--output-format", "sarif=out.sarif,json=out.json"
    )
    assert done.out.startswith("k.py:6:")
    assert json.loads(project.read("out.json"))[0]["code"] == "AIT201"
    assert json.loads(project.read("out.sarif"))["version"] == "2.1.0"


def test_output_file(project, cli):
    project.write({"k.py": WRONG})
    done = cli("check", "--output-format", "json", "--output-file", "out.json", "--color", "always")
    assert (done.code, done.out) == (1, "")
    assert json.loads(project.read("out.json"))[0]["code"] == "AIT201"


def test_paths_in_settings_start_at_the_root(project, cli):
    table = '[tool.aiter_lint]\noutput-format = ["json=out/a.json", "concise"]\n'
    project.write({"pyproject.toml": table, "out/README": "", "pkg/k.py": WRONG})
    assert cli("check", cwd="pkg").out.startswith("k.py:6:")
    assert json.loads(project.read("out/a.json"))[0]["path"] == "k.py"
    cli("check", "--output-format", "json=b.json", cwd="pkg")
    assert json.loads(project.read("pkg/b.json"))[0]["path"] == "k.py"
    assert 'output-format = ["json=out/a.json", "concise"]' in cli("check", "--show-settings").out


@pytest.mark.parametrize(
    "line",
    ['baseline = "out/b.json"', 'output-file = "out/b"', 'output-format = ["json=out/b"]'],
)
def test_settings_follow_no_link_out_of_the_project(project, cli, tmp_path_factory, line):
    project.write({"pyproject.toml": f"[tool.aiter_lint]\n{line}\n"})
    (project.root / "out").symlink_to(tmp_path_factory.mktemp("elsewhere"))
    done = cli("check")
    assert done.code == 2
    assert done.err.startswith("aiter-lint: error: pyproject.toml:2: ")
    assert done.err.endswith(" is a link out of the project\n")


def test_several_formats_cannot_share_a_file(cli):
    options = ["--output-format", "json,concise", "--output-file", "out"]
    done = cli("check", *options)
    assert done.code == 2
    assert done.err == (
        "aiter-lint: error: --output-file: several formats can't share a file: write concise=PATH\n"
    )


def test_names_of_files_are_made_safe_to_print(project, cli):
    project.write({"\x1b[2J\n.py": ""})
    assert cli("check", "--show-files").out == "\\x1b[2J\\x0a.py\nnames.py\n"


def test_statistics(project, cli):
    project.write({"k.py": WRONG, "a.py": ADVICE})
    text = cli("check", "--statistics", "--output-format", "concise").out
    assert "       1  AIT201 unknown-key\n" in text
    assert "1 advice hidden, 0 ignored, 0 in the baseline" in text
    assert "Kernels: 2 (1 launched, 1 unreferenced)" in text
    assert "Launch candidates: 1, of which 1 are bound to kernels" in text
    done = cli("check", "--statistics", "--output-format", "json")
    assert len(done.json) == 1
    assert "Launch candidates" in done.err


def test_color(project, cli, monkeypatch):
    project.write({"k.py": WRONG})
    assert "\x1b[" not in cli("check").out
    assert "\x1b[" in cli("check", "--color", "always").out
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in cli("check").out
    assert "\x1b[" not in cli("check", "--color", "never").out
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in cli("check").out
    assert "\x1b[" not in cli("check", "--output-format", "json", "--color", "always").out


def test_show_files(project, cli):
    project.write({"k.py": "", "pkg/a.py": "", "pkg/gen/b.py": "", ".gitignore": "gen"})
    done = cli("check", "--show-files")
    assert (done.code, done.out) == (0, "k.py\nnames.py\npkg/a.py\n")
    assert cli("check", "--show-files", "pkg").out == "pkg/a.py\n"
    assert cli("check", "--show-files", cwd="pkg").out == "a.py\n"


def test_show_settings(project, cli):
    project.write(
        {"pyproject.toml": '[tool.aiter_lint]\nselect = ["AIT1"]\nrepr-builder = "a.b"\n'}
    )
    text = cli("check", "--show-settings", "-j", "2").out
    assert 'select = ["AIT1"]  # pyproject.toml:2\n' in text
    assert "jobs = 2  # --jobs\n" in text
    assert "# output-file is not set\n" in text
    project.write({"pyproject.toml": text})
    again = cli("check", "--show-settings").out
    assert 'select = ["AIT1"]  # pyproject.toml:' in again


# --- standard input


def stdin(monkeypatch, tmp_path, content: str):
    path = tmp_path / "stdin"
    path.write_text(content)
    monkeypatch.setattr("sys.stdin", path.open(encoding="utf-8"))


def test_standard_input_counts_instead_of_the_file(project, cli, monkeypatch):
    project.write({"k.py": CLEAN, "other.py": WRONG})
    stdin(monkeypatch, project.root, WRONG)
    done = cli("check", "--stdin-filename", "k.py", "--output-format", "json")
    assert done.places == [("k.py", 6, "unknown-key")]


def test_standard_input_as_a_file_that_is_not_there_yet(project, cli, monkeypatch):
    project.write({"pkg/__init__.py": ""})
    stdin(monkeypatch, project.root, WRONG)
    done = cli("check", "--stdin-filename", "pkg/new.py", "-", "--output-format", "json")
    assert done.places == [("pkg/new.py", 6, "unknown-key")]


def test_standard_input_sees_the_project(project, cli, monkeypatch):
    project.write({"user.py": "from k import k\nk[(1,)](1, B=8)\n", "k.py": ""})
    bare = HEAD + "@triton.jit\ndef k(x, B: tl.constexpr):\n    tl.store(x, B)\n"
    stdin(monkeypatch, project.root, bare)
    done = cli("check", "--stdin-filename", "k.py", "--output-format", "json")
    assert done.places == [("k.py", 6, "missing-repr")]


def test_standard_input_that_is_excluded(project, cli, monkeypatch):
    project.write({"pyproject.toml": '[tool.aiter_lint]\nexclude = ["gen"]\n', "gen/old.py": ""})
    for name in ("gen/old.py", "gen/new.py"):
        stdin(monkeypatch, project.root, WRONG)
        assert cli("check", "--stdin-filename", name).code == 1
        stdin(monkeypatch, project.root, WRONG)
        assert cli("check", "--stdin-filename", name, "--force-exclude").code == 0
