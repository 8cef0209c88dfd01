"""How long a line of the project may be, as its formatter is told."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from aiter_lint.read.sources import read_bytes

DEFAULT = 88  # of black and ruff
_LEAST = 40
_FILES = ("ruff.toml", ".ruff.toml", "pyproject.toml")


@functools.lru_cache(maxsize=256)
def line_length(root: str, path: str) -> int:
    """The line length for a file below a root, by the nearest configuration of ruff or black."""
    if not root:
        return DEFAULT
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        for name in _FILES:
            found = _configured(root, f"{folder}/{name}" if folder else name)
            if found is not None:
                return found
    return DEFAULT


def _configured(root: str, path: str) -> int | None:
    try:
        data = read_bytes(root, path).decode()
    except (OSError, ValueError):
        return None
    toml = _parse(data)
    if path.endswith("pyproject.toml"):
        tools = toml.get("tool")
        tables = [tools.get("black"), tools.get("ruff")] if isinstance(tools, Mapping) else []
    else:
        tables = [toml]
    for table in tables:
        length = table.get("line-length") if isinstance(table, Mapping) else None
        if type(length) is int and length >= _LEAST:
            return length
    return None


def _parse(text: str) -> Mapping[str, Any]:
    try:
        import tomllib
    except ModuleNotFoundError:  # Python 3.10
        import tomli as tomllib
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return {}
