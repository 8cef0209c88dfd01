"""The hooks, driven by the real pre-commit in a real git repository.

The hooks are taken from a repository that holds this checkout's manifest. `language: system` makes
them run the linter of this checkout, so that no environment is made for each test; that one can be
made, from the package index as users make it, is shown by the first day (`test_first_day.py`)."""

import sys

import pytest
from small_project import BARE, CLEAN, ROOT, Repository, repository


@pytest.fixture
def hooked(tmp_path):
    """Makes a project's repository with some of the hooks installed."""

    def make(*hooks: str) -> Repository:
        manifest = Repository(tmp_path / "hooks", tmp_path / "home")
        manifest.write({".pre-commit-hooks.yaml": (ROOT / ".pre-commit-hooks.yaml").read_text()})
        manifest.git("init", "--quiet")
        assert manifest.commit().returncode == 0
        project = repository(tmp_path / "project", tmp_path / "home")
        project.write(
            {
                ".pre-commit-config.yaml": f"repos:\n  - repo: {manifest.folder}\n"
                f"    rev: {manifest.git('rev-parse', 'HEAD').strip()}\n    hooks:\n"
                + "".join(f"      - id: {hook}\n        language: system\n" for hook in hooks)
            }
        )
        done = project.run(sys.executable, "-m", "pre_commit", "install")
        assert done.returncode == 0, done.stderr
        assert project.commit("--no-verify").returncode == 0
        return project

    return make


def test_the_manifest_is_valid(tmp_path):
    project = Repository(tmp_path, tmp_path / "home")
    done = project.run(
        sys.executable, "-m", "pre_commit", "validate-manifest", f"{ROOT}/.pre-commit-hooks.yaml"
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_clean_change_is_accepted(hooked):
    project = hooked("aiter-lint")
    project.write({"kernels/add.py": CLEAN + "\n\nSIZES = (8, 16)\n"})
    done = project.commit()
    assert done.returncode == 0, done.stdout
    assert "Passed" in done.stdout


def test_a_change_without_python_is_none_of_its_business(hooked):
    project = hooked("aiter-lint")
    project.write({"notes.txt": "hello\n"})
    done = project.commit()
    assert done.returncode == 0
    assert "Skipped" in done.stdout


def test_a_new_kernel_is_judged_by_the_launch_in_another_file(hooked):
    project = hooked("aiter-lint")
    project.write({"kernels/scale.py": BARE})  # layer.py, which launches it, is not in the change
    done = project.commit()
    assert done.returncode == 1
    assert "missing-repr" in done.stdout
    assert "kernels/scale.py:5:" in done.stdout
    assert project.git("log", "--oneline").count("\n") == 2


def test_only_files_of_the_change_are_reported(hooked):
    project = hooked("aiter-lint")
    project.write({"kernels/scale.py": BARE})
    assert project.commit("--no-verify").returncode == 0
    project.write({"kernels/add.py": CLEAN + "\n\nSIZES = (8, 16)\n"})
    assert project.commit().returncode == 0


def test_excluded_files_stay_excluded_although_they_are_named(hooked):
    project = hooked("aiter-lint")
    project.write({"vendored/scale.py": BARE + "\n\ndef run(x):\n    scale[(1,)](x, BLOCK=8)\n"})
    done = project.commit()
    assert done.returncode == 0, done.stdout


def test_a_file_that_cannot_be_parsed_is_refused(hooked):
    project = hooked("aiter-lint")
    project.write({"kernels/add.py": CLEAN + "def (:\n"})
    done = project.commit()
    assert done.returncode == 1
    assert "invalid-syntax" in done.stdout


def test_a_wrong_setting_is_told_in_one_line(hooked):
    project = hooked("aiter-lint")
    project.write(
        {
            "pyproject.toml": '[tool.aiter_lint]\nexlude = ["vendored/"]\n',
            "kernels/add.py": CLEAN + "\n\nSIZES = (8, 16)\n",
        }
    )
    done = project.commit()
    assert done.returncode == 1
    assert "exit code: 2" in done.stdout
    assert "exclude" in done.stdout
    assert "Traceback" not in done.stdout


def test_a_commit_of_many_files_is_one_run(hooked):
    project = hooked("aiter-lint")
    project.write({f"many/module_{n:04}.py": f"N = {n}\n" for n in range(600)})
    project.write({"kernels/scale.py": BARE})
    done = project.commit()
    assert done.returncode == 1
    assert done.stdout.count(" files checked: ") == 1
    assert "601 files checked: 1 error." in done.stdout


def test_fix_changes_the_file_and_the_second_commit_is_accepted(hooked):
    project = hooked("aiter-lint-fix", "aiter-lint")
    project.write({"kernels/scale.py": BARE})
    first = project.commit()
    assert first.returncode == 1
    assert "files were modified by this hook" in first.stdout
    assert "@triton.jit(repr=_scale_repr)" in project.read("kernels/scale.py")
    second = project.commit()
    assert second.returncode == 0, second.stdout
    assert project.git("status", "--porcelain") == ""


def test_files_that_are_not_staged_are_left_alone(hooked):
    project = hooked("aiter-lint-fix")
    project.write({"kernels/scale.py": BARE})
    project.git("add", "--all")
    project.write({"layer.py": project.read("layer.py") + "\n# not staged\n"})
    assert project.run("git", "commit", "--message", "A change").returncode == 1
    assert project.read("layer.py").endswith("# not staged\n")


def test_names_with_blanks_and_other_letters(hooked):
    project = hooked("aiter-lint")
    name = "kernels/größe 1.py"
    project.write({name: BARE + "\n\ndef run(x):\n    scale[(1,)](x, BLOCK=8)\n"})
    done = project.commit()
    assert done.returncode == 1
    assert f"{name}:5:" in done.stdout
