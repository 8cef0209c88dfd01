"""The JSON schema of `[tool.aiter_lint]`, made from the declaration.

`python -m aiter_lint.settings.schema` writes it to `schema.json` beside this file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec

from aiter_lint.settings.declaration import Settings

PATH = Path(__file__).with_name("schema.json")


def schema() -> dict[str, Any]:
    """The schema, with every definition in its place."""
    made = msgspec.json.schema(Settings)
    definitions = made["$defs"]
    properties = {
        name: _inlined(dict(declared), definitions)
        for name, declared in definitions["Settings"]["properties"].items()
    }
    globs = properties["config-loaders"]["additionalProperties"]
    properties["config-loaders"]["additionalProperties"] = {"anyOf": [{"type": "string"}, globs]}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "aiter-lint",
        "description": "The table [tool.aiter_lint] of pyproject.toml.",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def text() -> str:
    """The schema as it is shipped."""
    return json.dumps(schema(), indent=2) + "\n"


def _inlined(declared: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "anyOf" in declared and {"type": "null"} in declared["anyOf"]:  # TOML has no null
        declared |= next(kind for kind in declared.pop("anyOf") if kind != {"type": "null"})
        del declared["default"]
    reference = declared.pop("$ref", None)
    if reference is not None:
        declared["enum"] = definitions[reference.rsplit("/", 1)[-1]]["enum"]
    return declared


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
