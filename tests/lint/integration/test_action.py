"""The action for GitHub: its steps run here as a runner runs them, inputs put into the environment.

What a runner adds, checking out and showing annotations, can't be tried without one."""

import json
import re
import subprocess

import pytest
import yaml
from small_project import BARE, ROOT, Repository, program, repository

ACTION = yaml.safe_load((ROOT / "action.yml").read_text())


@pytest.fixture
def project(tmp_path):
    made = repository(tmp_path / "project", tmp_path / "home")
    made.write({"kernels/scale.py": BARE})
    return made


def check(project: Repository, **inputs: str) -> subprocess.CompletedProcess[str]:
    """The step that checks, with the linter of this checkout in the place where the step before
    installs it."""
    step = next(s for s in ACTION["runs"]["steps"] if s["name"] == "Check")
    given = {name: declared["default"] for name, declared in ACTION["inputs"].items()} | inputs
    values = {
        name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: given[m[1]], text)
        for name, text in step["env"].items()
    }
    temporary = project.folder.parent / "runner"
    program(temporary / "aiter-lint" / "bin")
    project.environment |= values | {"RUNNER_TEMP": str(temporary)}
    return project.run("bash", "-eo", "pipefail", "-c", step["run"])


def test_it_is_a_composite_action_whose_inputs_are_described():
    assert ACTION["runs"]["using"] == "composite"
    for step in ACTION["runs"]["steps"]:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]  # an input in the text of a script could be any command
        for used in re.findall(r"inputs\.([\w-]+)", json.dumps(step.get("env", {}))):
            assert used in ACTION["inputs"]
    for declared in ACTION["inputs"].values():
        assert declared["description"]
        assert isinstance(declared["default"], str)


def test_findings_become_annotations_and_fail_the_job(project):
    done = check(project)
    assert done.returncode == 1
    assert done.stdout.startswith(
        "::error title=AIT101 missing-repr,file=kernels/scale.py,line=5,endLine=5,col="
    )


def test_paths_and_options_are_passed_on(project):
    assert check(project, paths="layer.py names.py").returncode == 0
    assert check(project, args="--ignore missing-repr").returncode == 0
    done = check(project, args="--ignore missing-repr --no-such-option")
    assert done.returncode == 2


def test_a_sarif_file_is_written_beside_the_annotations(project):
    done = check(project, **{"sarif-file": "out put.sarif"})
    assert done.returncode == 1
    assert "::error " in done.stdout
    log = json.loads(project.read("out put.sarif"))
    assert [r["ruleId"] for r in log["runs"][0]["results"]] == ["AIT101"]


def test_an_input_is_no_command(project):
    done = check(project, paths="layer.py; touch owned", args="$(touch owned) *")
    assert done.returncode == 2
    assert not (project.folder / "owned").exists()


def test_the_first_step_installs_the_checkout():
    step = next(s for s in ACTION["runs"]["steps"] if s["name"] == "Install aiter-lint")
    assert '"$GITHUB_ACTION_PATH"' in step["run"]
    assert '"$PYTHON" -m venv "$RUNNER_TEMP/aiter-lint"' in step["run"]
