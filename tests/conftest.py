"""What every test starts from: no colours, no CI system, no settings of the person at hand."""

import os

import pytest

_LEAKS = (
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "FORCE_COLOR",
    "GITHUB_ACTIONS",
    "NO_COLOR",
    "TERM",
)


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [*_LEAKS, *(name for name in os.environ if name.startswith("AITER_LINT_"))]:
        if name != "AITER_LINT_TRITON39":
            monkeypatch.delenv(name, raising=False)
