"""`--show-settings`: what counts, and who said so."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from enum import Enum
from typing import Any

import msgspec

from aiter_lint.cli.project import Invocation
from aiter_lint.settings import Settings, shown


def settings_text(understood: Invocation) -> str:
    """The settings as a table that could stand in a `pyproject.toml`."""
    location, loaded = understood.location, understood.loaded
    lines = [
        f"# project: {shown(location.root)}",
        f"# settings: {shown(location.config) if location.config else 'none, all by default'}",
        "[tool.aiter_lint]",
    ]
    for field in msgspec.structs.fields(Settings):
        value = _relative(getattr(loaded.settings, field.name), location.root)
        origin = loaded.origins.get(field.encode_name)
        line = (
            f"{field.encode_name} = {_toml(value)}"
            if value is not None
            else (f"# {field.encode_name} is not set")
        )
        lines.append(line + (f"  # {origin}" if origin else ""))
    return "\n".join(lines) + "\n"


def _relative(value: Any, root: str) -> Any:
    """Paths as they would stand in the file: relative to the root."""
    if isinstance(value, str):
        return value.replace(root.rstrip(os.sep) + os.sep, "")
    if isinstance(value, tuple):
        return tuple(_relative(inner, root) for inner in value)
    return value


def _toml(value: Any) -> str:
    if isinstance(value, Enum):
        return _toml(value.value)
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_toml(key)} = {_toml(inner)}" for key, inner in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(_toml(inner) for inner in value)}]"
    return json.dumps(value, ensure_ascii=False)
