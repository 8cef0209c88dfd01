"""The schema that is shipped, and what it says of settings."""

from __future__ import annotations

import json
from importlib import resources

import jsonschema
import pytest

from aiter_lint.settings import schema


def shipped():
    return json.loads(resources.files("aiter_lint.settings").joinpath("schema.json").read_text())


def test_the_shipped_schema_is_made_from_the_declaration():
    assert schema.PATH.read_text() == schema.text(), (
        "settings changed: run `python -m aiter_lint.settings.schema`"
    )


def test_it_is_a_schema():
    jsonschema.Draft7Validator.check_schema(shipped())


@pytest.mark.parametrize(
    "table",
    [
        {},
        {"select": ["AIT101"], "min-severity": "advice", "jobs": 0},
        {"config-loaders": {"a.b": "c/*.json", "d.e": ["f/*.json"]}},
        {"repr-builder": "a.b", "per-file-ignores": {"tests/**": ["AIT101"]}},
    ],
)
def test_valid(table):
    jsonschema.validate(table, shipped())


@pytest.mark.parametrize(
    "table",
    [
        {"selekt": []},
        {"select": "AIT101"},
        {"min-severity": "loud"},
        {"jobs": -1},
        {"config-loaders": {"a.b": 3}},
    ],
)
def test_invalid(table):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(table, shipped())


def test_every_setting_is_explained():
    assert all(
        declared["description"].endswith(".") for declared in shipped()["properties"].values()
    )
