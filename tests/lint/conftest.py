"""Fixtures for tests that write a project and run commands on it as a user would."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from aiter_lint.__main__ import main


@dataclass
class Project:
    """A folder of files."""

    root: Path

    def write(self, files: dict[str, str | bytes]) -> Project:
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            data = content.encode() if isinstance(content, str) else content
            path.write_bytes(data)
        return self

    def read(self, name: str) -> str:
        return (self.root / name).read_text(encoding="utf-8")


@dataclass
class Done:
    """What a command left."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def places(self) -> list[tuple[str, int, str]]:
        """(path, line, rule) of each finding of `--output-format json`."""
        return [(f["path"], f["line"], f["rule"]) for f in self.json]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """An empty project with settings that are all default."""
    return Project(tmp_path).write({"pyproject.toml": "[tool.aiter_lint]\n"})


@pytest.fixture
def cli(
    project: Project, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Done]:
    """Runs aiter-lint in this process, in the project's folder or the one below it that is
    given."""

    def run(*arguments: str | Path, cwd: str = ".") -> Done:
        monkeypatch.chdir(project.root / cwd)
        capfd.readouterr()
        code = main([os.fspath(argument) for argument in arguments])
        captured = capfd.readouterr()
        return Done(code, captured.out, captured.err)

    return run
