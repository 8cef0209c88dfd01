"""The options of the commands, made from the declaration of the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import click

from aiter_lint.settings import SettingsError, declared

Command = TypeVar("Command", bound=Callable[..., Any])

RULES = ("select", "extend-select", "ignore", "per-file-ignores", "min-severity")
REPORT = ("fail-on", "output-format", "output-file", "statistics", "exit-zero")
FIXES = ("unsafe-fixes", "exit-non-zero-on-fix")
PROJECT = ("force-exclude", "no-cache", "cache-dir", "jobs", "color")

_METAVARS = {
    "per-file-ignores": "PATTERN:RULE,...",
    "min-severity": "SEVERITY",
    "fail-on": "SEVERITY",
    "output-format": "FORMAT[=PATH]",
    "output-file": "PATH",
    "cache-dir": "PATH",
    "jobs": "N",
    "color": "WHEN",
}


def settings_options(*names: str) -> Callable[[Command], Command]:
    """Options for settings, by their dashed names. Each overrides `pyproject.toml`."""

    def decorate(command: Command) -> Command:
        for name in reversed(names):
            command = _option(name)(command)
        return command

    return decorate


def paths_argument(command: Command) -> Command:
    """PATHS: what is reported."""
    return click.argument("paths", nargs=-1, metavar="[PATHS]...", type=click.Path())(command)


def config_option(command: Command) -> Command:
    """`--config`."""
    return click.option(
        "--config",
        metavar="PATH",
        help="The pyproject.toml with the settings, instead of the project's own.",
    )(command)


def _option(name: str) -> Callable[[Command], Command]:
    type_ = declared()[name]
    meta = type_.__metadata__[0]
    flags = [f"--{name}", f"set_{name.replace('-', '_')}"]
    if name == "jobs":
        flags.insert(0, "-j")
    help_ = meta.description.replace("`", "")
    if type_.__origin__ is bool:
        return click.option(*flags, is_flag=True, default=None, help=help_)
    return click.option(
        *flags,
        metavar=_METAVARS.get(name, "RULE,..."),
        multiple=name in _LISTS,
        default=None,
        help=help_,
    )


_LISTS = frozenset({"select", "extend-select", "ignore", "per-file-ignores", "output-format"})


def overrides(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that a command line gives, by dashed name, still to be validated."""
    found: dict[str, Any] = {}
    for parameter, value in parameters.items():
        if not parameter.startswith("set_") or value is None or value == ():
            continue
        name = parameter[len("set_") :].replace("_", "-")
        if name == "per-file-ignores":
            value = _per_file(_split(value))
        elif name in _LISTS:
            value = _split(value)
        elif name == "jobs":
            value = _number(value)
        found[name] = value
    return found


def _split(values: Iterable[str]) -> list[str]:
    return [piece.strip() for value in values for piece in value.split(",") if piece.strip()]


def _number(value: str) -> int:
    try:
        return int(value)
    except ValueError:
        raise SettingsError(f'--jobs: expected a number of processes, found "{value}"') from None


def _per_file(pieces: list[str]) -> dict[str, list[str]]:
    """`pattern:rule`; a piece without a colon is one more rule for the pattern before it."""
    found: dict[str, list[str]] = {}
    pattern = None
    for piece in pieces:
        before, colon, rule = piece.rpartition(":")
        if colon:
            pattern = before
        elif pattern is None:
            raise SettingsError(
                f'--per-file-ignores: expected PATTERN:RULE, found "{piece}": '
                'for example "tests/**:missing-repr"'
            )
        found.setdefault(pattern or "", []).append(rule)
    return found
