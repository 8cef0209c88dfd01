"""The README shows what the linter prints today, and the settings that it has.

`UPDATE_SNAPSHOTS=1 pytest tests/lint/test_readme.py` writes the shown output anew; `make docs` the
table of settings."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from aiter_lint.report.report import FORMATS
from aiter_lint.settings.table import updated

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
SHOWN = re.compile(r"^```console\n\$ (aiter-lint .*)\n((?:.*\n)*?)```$", re.MULTILINE)


def run(command: str, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command.replace("aiter-lint", "aiter_lint", 1).split()],
        cwd=cwd,
        capture_output=True,
        text=True,
    )
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def test_the_output_that_it_shows_is_real(tmp_path):
    demo = shutil.copytree(
        ROOT / "examples" / "demo",
        tmp_path / "demo",
        ignore=shutil.ignore_patterns(".aiter_lint_cache", "__pycache__"),
    )
    text = README.read_text(encoding="utf-8")
    assert len(SHOWN.findall(text)) == 3

    def real(shown: re.Match[str]) -> str:  # one after the other: fix changes what comes next
        return f"```console\n$ {shown[1]}\n{run(shown[1], demo)}```"

    as_it_is = SHOWN.sub(real, text)
    if os.environ.get("UPDATE_SNAPSHOTS") == "1":
        README.write_text(as_it_is, encoding="utf-8")
    assert README.read_text(encoding="utf-8") == as_it_is


def test_the_table_of_settings_is_that_of_the_declaration():
    text = README.read_text(encoding="utf-8")
    assert text == updated(text), "run `make docs`"


@pytest.mark.parametrize("name", FORMATS)
def test_it_lists_every_format(name):
    assert f"`{name}`" in README.read_text(encoding="utf-8")


def test_its_links_lead_somewhere():
    for name in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#]+)", prose):
            if "://" not in target:
                assert (ROOT / target).exists(), f"{name} links to {target}"


def test_it_names_the_commands_that_there_are():
    text = README.read_text(encoding="utf-8")
    listed = set(re.findall(r"^    aiter-lint (\w+) .* {3}\w", text, re.MULTILINE))
    help_text = run("aiter-lint --help", ROOT)
    _, _, commands = help_text.partition("Commands:\n")
    assert listed == {line.split()[0] for line in commands.splitlines() if line.strip()}
