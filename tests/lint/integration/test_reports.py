"""What CI systems get from the program itself: several reports of one run, each whole."""

import json
import xml.etree.ElementTree as ElementTree

import pytest
from small_project import BARE, repository


@pytest.fixture
def project(tmp_path):
    made = repository(tmp_path / "project", tmp_path / "home")
    made.write({"kernels/scale.py": BARE})
    return made


SEVERAL = (
    *("--output-format", "concise"),
    *("--output-format", "sarif=out/report.sarif,gitlab=gitlab.json"),
    *("--output-format", "junit=junit.xml", "--output-format", "rdjson=rd.json"),
)


def test_several_reports_of_one_run(project):
    (project.folder / "out").mkdir()
    done = project.run("aiter-lint", "check", *SEVERAL)
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("kernels/scale.py:5:")
    sarif = json.loads(project.read("out/report.sarif"))
    assert sarif["runs"][0]["results"][0]["ruleId"] == "AIT101"
    (issue,) = json.loads(project.read("gitlab.json"))
    assert issue["location"] == {"path": "kernels/scale.py", "lines": {"begin": 5, "end": 5}}
    assert ElementTree.fromstring(project.read("junit.xml")).get("failures") == "1"
    (diagnostic,) = json.loads(project.read("rd.json"))["diagnostics"]
    assert diagnostic["code"]["value"] == "AIT101 missing-repr"


def test_a_report_that_cannot_be_written_is_named_and_the_others_are_written(project):
    done = project.run("aiter-lint", "check", *SEVERAL)  # there is no folder `out`
    assert done.returncode == 2
    assert done.stdout.startswith("kernels/scale.py:5:")
    assert done.stderr.count("\n") == 1
    assert "out/report.sarif" in done.stderr
    assert json.loads(project.read("gitlab.json"))


@pytest.mark.parametrize("name", ["json", "sarif", "gitlab", "rdjson"])
def test_machine_formats_are_alone_on_standard_output(project, name):
    done = project.run("aiter-lint", "check", "--output-format", name, "--statistics")
    assert done.returncode == 1
    assert json.loads(done.stdout)
    assert "Findings by rule" in done.stderr


def test_the_fix_in_json_is_the_fix_that_is_made(project):
    done = project.run("aiter-lint", "check", "--output-format", "json")
    (finding,) = json.loads(done.stdout)
    assert finding["fix"]["applicability"] == "safe"
    lines = project.read("kernels/scale.py").split("\n")
    for edit in sorted(finding["fix"]["edits"], key=lambda e: -e["start_line"]):
        assert edit["path"] == "kernels/scale.py"
        first, last = edit["start_line"] - 1, edit["end_line"] - 1
        text = (
            lines[first][: edit["start_column"] - 1]
            + edit["content"]
            + lines[last][edit["end_column"] - 1 :]
        )
        lines[first : last + 1] = text.split("\n")
    assert project.run("aiter-lint", "fix").returncode == 0
    assert project.read("kernels/scale.py") == "\n".join(lines)


def test_colours_come_only_where_they_are_asked_for(project):
    plain = project.run("aiter-lint", "check")
    assert "\x1b" not in plain.stdout
    project.environment["FORCE_COLOR"] = "1"
    assert "\x1b[1;31merror\x1b[0m" in project.run("aiter-lint", "check").stdout
    assert "\x1b" not in project.run("aiter-lint", "check", "--color", "never").stdout
    project.environment["NO_COLOR"] = "1"
    assert "\x1b" not in project.run("aiter-lint", "check").stdout


def test_from_a_subfolder_paths_are_relative_to_it(project):
    project.folder = project.folder / "kernels"
    done = project.run("aiter-lint", "check", "--output-format", "concise")
    assert done.stdout.startswith("scale.py:5:")
