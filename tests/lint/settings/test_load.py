"""Finding the project, reading its settings, and saying everything that is wrong with them."""

from __future__ import annotations

import os

import pytest

from aiter_lint.finding import Severity
from aiter_lint.settings import Settings, SettingsError, load, locate

TABLE = "[tool.aiter_lint]\n"


def written(project, text: str) -> str:
    project.write({"pyproject.toml": text})
    return os.fspath(project.root / "pyproject.toml")


def problems(project, text: str, monkeypatch, **overrides) -> list[str]:
    monkeypatch.chdir(project.root)
    with pytest.raises(SettingsError) as error:
        load(written(project, text), {k.replace("_", "-"): v for k, v in overrides.items()})
    return list(error.value.problems)


def test_an_empty_table_is_all_default(project):
    assert load(written(project, TABLE)).settings == Settings()


def test_no_file_is_all_default():
    assert load(None).settings == Settings()


def test_every_kind_of_setting(project):
    text = """\
[tool.other]
select = 3

[tool.aiter_lint]
select = ["AIT2", "missing-repr"]
min-severity = "advice"
jobs = 4
repr-builder = "pkg.names.make_kernel_repr"
force-exclude = true
per-file-ignores = { "tests/**" = ["AIT101"] }

[tool.aiter_lint.config-loaders]
"pkg.config.get" = "pkg/configs/**/*.json"
"pkg.config.all" = ["a/*.json", "b/*.json"]
"""
    loaded = load(written(project, text))
    settings = loaded.settings
    assert settings.select == ("AIT2", "missing-repr")
    assert settings.min_severity is Severity.ADVICE
    assert settings.jobs == 4
    assert settings.repr_builder == "pkg.names.make_kernel_repr"
    assert settings.force_exclude is True
    assert settings.per_file_ignores == {"tests/**": ("AIT101",)}
    assert settings.config_loaders == {
        "pkg.config.get": ("pkg/configs/**/*.json",),
        "pkg.config.all": ("a/*.json", "b/*.json"),
    }
    assert loaded.origins["jobs"].endswith("pyproject.toml:7")
    assert loaded.origins["config-loaders"].endswith("pyproject.toml:12")


def test_the_command_line_wins(project):
    loaded = load(written(project, TABLE + "jobs = 4\n"), {"jobs": 2, "select": ["AIT101"]})
    assert (loaded.settings.jobs, loaded.settings.select) == (2, ("AIT101",))
    assert loaded.origins["jobs"] == "--jobs"


def test_all_mistakes_are_told_at_once(project, monkeypatch):
    text = TABLE + (
        'fail_on = "error"\nselekt = []\nselect = "AIT101"\nignore = [3]\njobs = -1\n'
        'min-severity = "eror"\nforce-exclude = 1\nconfig-loaders = { "a.b" = 3 }\nqqq = 1\n'
    )
    assert problems(project, text, monkeypatch, color="pink") == [
        'pyproject.toml:2: unknown setting "fail_on": did you mean "fail-on"?',
        'pyproject.toml:3: unknown setting "selekt": did you mean "select"?',
        "pyproject.toml:4: select: expected a list, found a string",
        "pyproject.toml:5: ignore: expected a string, found an integer",
        "pyproject.toml:6: jobs: expected an integer >= 0",
        'pyproject.toml:7: min-severity: expected advice, error or warning, found "eror": '
        'did you mean "error"?',
        "pyproject.toml:8: force-exclude: expected true or false, found an integer",
        "pyproject.toml:9: config-loaders: expected a list, found an integer",
        'pyproject.toml:10: unknown setting "qqq": `aiter-lint check --help` lists the options',
        '--color: expected always, auto or never, found "pink"',
    ]


@pytest.mark.parametrize(
    "line",
    [
        'cache-dir = "/tmp/elsewhere"',
        'baseline = "../baseline.json"',
        'output-file = "~/report"',
        'source-roots = ["a/../../b"]',
        'config-loaders = { "a.b" = "C:\\\\configs\\\\*.json" }',
    ],
)
def test_a_project_cannot_reach_out_of_itself(project, monkeypatch, line):
    (problem,) = problems(project, TABLE + line + "\n", monkeypatch)
    assert "must be a path inside the project" in problem


def test_a_user_can(project):
    loaded = load(written(project, TABLE), {"cache-dir": "/tmp/elsewhere"})
    assert loaded.settings.cache_dir == "/tmp/elsewhere"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TABLE + "select = [\n", "pyproject.toml: not valid TOML: "),
        (TABLE + "x = " + "[" * 5000 + "\n", "pyproject.toml: not valid TOML"),
        ("[tool.aiter-lint]\n", "unknown table [tool.aiter-lint]: did you mean [tool.aiter_lint]?"),
        ("[tool]\naiter_lint = 3\n", "[tool.aiter_lint] must be a table"),
        ("[tool.black]\n", "there is no [tool.aiter_lint] table"),
    ],
    ids=["syntax", "nesting", "dash", "no table", "other tools only"],
)
def test_a_file_that_says_nothing(project, monkeypatch, text, message):
    (problem,) = problems(project, text, monkeypatch)
    assert message in problem
    assert "\n" not in problem


def test_a_file_in_another_encoding(project, monkeypatch):
    monkeypatch.chdir(project.root)
    project.write({"pyproject.toml": TABLE.encode() + b'x = "\xe9"\n'})
    with pytest.raises(SettingsError, match=r"^pyproject\.toml:2: not valid TOML: not in UTF-8$"):
        load("pyproject.toml")


def test_a_file_with_a_byte_order_mark(project):
    project.write({"pyproject.toml": b"\xef\xbb\xbf" + TABLE.encode() + b"jobs = 3\n"})
    assert load(os.fspath(project.root / "pyproject.toml")).settings.jobs == 3


# --- the project


def root_of(project, *paths: str) -> str:
    real = os.path.realpath(project.root)
    location = locate([os.path.join(real, path) if path else real for path in paths])
    return os.path.relpath(location.root, real)


def test_the_nearest_table_makes_the_root(project):
    project.write(
        {"a/pyproject.toml": "[tool.black]\n", "a/b/x.py": "", "c/.git/HEAD": "", "c/y.py": ""}
    )
    assert root_of(project, "a/b/x.py") == "."
    assert root_of(project, "a") == "."
    assert root_of(project, "c/y.py") == "."  # a table above a repository counts too


def test_without_a_table_the_repository_is_the_root(tmp_path):
    (tmp_path / "r/.git").mkdir(parents=True)
    (tmp_path / "r/a").mkdir()
    (tmp_path / "r/pyproject.toml").write_text("[tool.black]\n# aiter_lint\n")
    location = locate([os.path.realpath(tmp_path / "r/a")])
    assert location.root == os.path.realpath(tmp_path / "r")
    assert location.config is None


def test_a_worktree_is_a_repository(tmp_path):
    (tmp_path / "r/a").mkdir(parents=True)
    (tmp_path / "r/.git").write_text("gitdir: /elsewhere\n")
    assert locate([os.path.realpath(tmp_path / "r/a")]).root == os.path.realpath(tmp_path / "r")


def test_without_anything_paths_are_the_project(tmp_path):
    for name in ("a/b", "a/c"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "a/c/x.py").write_text("")
    real = os.path.realpath(tmp_path)
    assert locate([f"{real}/a/b", f"{real}/a/c/x.py"]).root == f"{real}/a"
    assert locate([f"{real}/a/c/x.py"]).root == f"{real}/a/c"


def test_a_package_that_belongs_to_nothing_is_imported_from_above(tmp_path):
    (tmp_path / "lib/pkg/triton").mkdir(parents=True)
    (tmp_path / "lib/pkg/__init__.py").write_text("")
    (tmp_path / "lib/pkg/triton/__init__.py").write_text("")
    real = os.path.realpath(tmp_path)
    location = locate([f"{real}/lib/pkg/triton"])
    assert (location.root, location.start) == (f"{real}/lib", "pkg/triton")
    assert locate([f"{real}/lib"]).start == ""


def test_paths_of_two_projects(project, monkeypatch):
    monkeypatch.chdir(project.root)
    project.write({"in/pyproject.toml": TABLE, "in/x.py": "", "y.py": ""})
    with pytest.raises(SettingsError) as error:
        root_of(project, "y.py", "in/x.py")
    assert str(error.value) == (
        "y.py belongs to the project ., but in/x.py to the project in: check one project at a time"
    )


def test_a_table_that_is_not_valid_is_no_reason_to_look_further(project):
    project.write({"a/pyproject.toml": TABLE + "select = [\n", "a/x.py": ""})
    assert root_of(project, "a/x.py") == "a"
