"""What is shipped: the linter alone, with its schema, and a program that starts."""

import subprocess
import sys
import zipfile

import pytest
from small_project import ROOT

import aiter_lint


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "-w",
            str(folder),
            str(ROOT),
        ],
        check=True,
    )
    (path,) = folder.glob("*.whl")
    return path


def test_the_wheel_holds_the_linter_alone(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    version = aiter_lint.__version__
    assert {name.split("/")[0] for name in names} == {
        "aiter_lint",
        f"aiter_lint-{version}.dist-info",
    }
    assert "aiter_lint/settings/schema.json" in names
    assert not [name for name in names if name.endswith((".pyc", ".case"))]


def test_its_dependencies_are_few_and_have_an_upper_bound(wheel):
    metadata = zipfile.ZipFile(wheel).read(
        f"aiter_lint-{aiter_lint.__version__}.dist-info/METADATA"
    )
    required = [
        line.removeprefix("Requires-Dist: ")
        for line in metadata.decode().splitlines()
        if line.startswith("Requires-Dist: ") and "extra ==" not in line
    ]
    assert len(required) <= 7
    assert all("<" in line and ">=" in line for line in required)
    assert not [line for line in required if line.startswith(("torch", "triton"))]


def test_the_program_starts_from_the_wheel(wheel, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "aiter_lint", "--version"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(wheel), "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert done.stdout == f"aiter-lint {aiter_lint.__version__}\n", done.stderr
