"""Which project is linted, and what its `pyproject.toml` says: found, read, validated.

All mistakes of one run are collected, so that one run is enough to see them."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from aiter_lint.nearest import nearest
from aiter_lint.settings.declaration import Settings, declared

TABLE = "aiter_lint"
_OWN_PATHS = frozenset({
    "source-roots", "baseline", "output-file", "output-format", "cache-dir", "config-loaders",
})  # fmt: skip
_LARGEST = 10_000_000  # bytes of a pyproject.toml


class SettingsError(Exception):
    """The settings, options or paths of a run are wrong: one line for each mistake."""

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass(frozen=True, slots=True)
class Location:
    """The project: its root (a real, absolute path), and the file with its settings, if any.
    `start` is the folder below the root that holds all of it, "" for the root itself."""

    root: str
    config: str | None
    start: str = ""


@dataclass(frozen=True, slots=True)
class Loaded:
    """Valid settings, and where each that was set comes from (`pyproject.toml:12`, `--select`)."""

    settings: Settings
    origins: Mapping[str, str]


def locate(paths: Sequence[str]) -> Location:
    """The project that PATHS (real, absolute) belong to: the folder of the nearest
    `pyproject.toml` with a `[tool.aiter_lint]` table, else the git root, else what PATHS have
    in common. `SettingsError` where they belong to several."""
    folders = {p if os.path.isdir(p) else os.path.dirname(p): p for p in reversed(paths)}
    tables: dict[str, bool] = {}
    homes = {_home(folder, tables): path for folder, path in reversed(folders.items())}
    if len(homes) > 1:
        (here, one), (there, other) = list(homes.items())[:2]
        raise SettingsError(
            f"{shown(one)} belongs to {_named(here)}, but {shown(other)} to {_named(there)}: "
            "check one project at a time"
        )
    return next(iter(homes)) or _unowned(os.path.commonpath(list(folders)))


def load(config: str | None, overrides: Mapping[str, Any] | None = None) -> Loaded:
    """The settings of a `pyproject.toml`, with the command line's `overrides` (by dashed name)
    over them. `SettingsError` lists all that is wrong with both."""
    problems: list[str] = []
    origins: dict[str, str] = {}
    values: dict[str, Any] = {}
    if config is not None:
        text = _text(config)
        table = _table(config, text)
        if table is None:
            raise SettingsError(f"{shown(config)}: there is no [tool.{TABLE}] table")
        lines = _key_lines(text)
        for key, value in table.items():
            at = f"{shown(config)}:{lines[key]}" if key in lines else shown(config)
            origins[key] = at
            values[key] = _checked(key, value, at, problems)
    for key, value in (overrides or {}).items():
        origins[key] = f"--{key}"
        values[key] = _checked(key, value, f"--{key}", problems, own=False)
    if problems:
        raise SettingsError(*problems)
    return Loaded(Settings(**{k.replace("-", "_"): v for k, v in values.items()}), origins)


def rule_mistakes(loaded: Loaded, mistake: Callable[[str], str | None]) -> list[str]:
    """What is wrong with the rules that the settings name; `mistake` judges one of them."""
    settings = loaded.settings
    lists: list[tuple[str, Iterable[str]]] = [
        ("select", settings.select),
        ("extend-select", settings.extend_select),
        ("ignore", settings.ignore),
        *(("per-file-ignores", rules) for rules in settings.per_file_ignores.values()),
    ]
    found = []
    for key, rules in lists:
        for rule in rules:
            message = mistake(rule)
            if message is not None:
                found.append(about(loaded.origins[key], key, message))
    return found


def about(origin: str, key: str, message: str) -> str:
    """A mistake in a setting, and where it was set."""
    return f"{origin}: {message}" if origin == f"--{key}" else f"{origin}: {key}: {message}"


def shown(path: str) -> str:
    """A path as messages show it: relative to the current folder where it lies inside."""
    try:
        relative = os.path.relpath(path)
    except ValueError:  # another drive
        return path
    return (path if relative.startswith("..") else relative).replace(os.sep, "/")


def _unowned(folder: str) -> Location:
    """A folder that belongs to no project. Where it is a package, the root is the folder that
    packages are imported from, though nothing else in there is read."""
    root = folder
    while os.path.isfile(os.path.join(root, "__init__.py")) and os.path.dirname(root) != root:
        root = os.path.dirname(root)
    start = "" if root == folder else os.path.relpath(folder, root).replace(os.sep, "/")
    return Location(root, None, start)


def _home(folder: str, tables: dict[str, bool]) -> Location | None:
    git = None
    while True:
        config = os.path.join(folder, "pyproject.toml")
        if folder not in tables:
            tables[folder] = has_table(config)
        if tables[folder]:
            return Location(folder, config)
        if git is None and os.path.lexists(os.path.join(folder, ".git")):
            git = folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None if git is None else Location(git, None)
        folder = parent


def _named(location: Location | None) -> str:
    return "no project" if location is None else f"the project {shown(location.root)}"


def has_table(config: str) -> bool:
    """Whether a `pyproject.toml` makes its folder a project. A file that names the tool but
    is not valid TOML counts, so that the mistake is told."""
    try:
        if not stat.S_ISREG(os.stat(config).st_mode):
            return False
        with open(config, "rb") as file:
            data = file.read(_LARGEST)
    except OSError:
        return False
    if not re.search(rb"aiter[_-]lint", data):
        return False
    try:
        return _table(config, _text(config)) is not None
    except SettingsError:
        return (
            re.search(rb"^\s*\[\s*tool\s*\.\s*[\"']?aiter[_-]lint", data, re.MULTILINE) is not None
        )


def _text(config: str) -> str:
    try:
        with open(config, "rb") as file:
            data = file.read(_LARGEST)
    except OSError as error:
        raise SettingsError(f"{shown(config)}: can't be read: {error.strerror}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise SettingsError(f"{shown(config)}:{line}: not valid TOML: not in UTF-8") from None


def _table(config: str, text: str) -> dict[str, Any] | None:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        document = tomllib.loads(text)
    except RecursionError:
        raise SettingsError(f"{shown(config)}: not valid TOML: nested too deeply") from None
    except ValueError as error:
        raise SettingsError(f"{shown(config)}: not valid TOML: {error}") from None
    tool = document.get("tool")
    if not isinstance(tool, dict):
        return None
    table = tool.get(TABLE)
    if table is None:
        if "aiter-lint" in tool:
            raise SettingsError(
                f"{shown(config)}: unknown table [tool.aiter-lint]: did you mean [tool.{TABLE}]?"
            )
        return None
    if not isinstance(table, dict):
        raise SettingsError(f"{shown(config)}: [tool.{TABLE}] must be a table")
    return table


def _key_lines(text: str) -> dict[str, int]:
    """The lines of the keys of our table, as far as they are easily seen."""
    lines: dict[str, int] = {}
    inside = False
    for number, line in enumerate(text.splitlines(), 1):
        header = re.match(r"\s*\[\s*tool\s*\.\s*aiter_lint\s*(?:\.\s*([\w-]+)\s*)?\]", line)
        if header:
            inside = True
            if header[1]:
                lines.setdefault(header[1], number)
        elif re.match(r"\s*\[+[\w\s.\"'-]+\]+\s*(#.*)?$", line):
            inside = False
        elif inside:
            key = re.match(r"\s*[\"']?([\w-]+)[\"']?\s*[=.]", line)
            if key:
                lines.setdefault(key[1], number)
    return lines


def _checked(key: str, value: Any, at: str, problems: list[str], *, own: bool = True) -> Any:
    """The value as the declaration types it; what is wrong with it goes to `problems`. `own`
    says that the project itself set it: then its paths must stay inside of it."""
    fields = declared()
    if key not in fields:
        meant = nearest(key, fields)
        hint = (
            f'did you mean "{meant}"?' if meant else "`aiter-lint check --help` lists the options"
        )
        problems.append(f'{at}: unknown setting "{key}": {hint}')
        return None
    if key == "config-loaders" and isinstance(value, dict):
        value = {name: [glob] if isinstance(glob, str) else glob for name, glob in value.items()}
    try:
        result = msgspec.convert(value, fields[key])
    except msgspec.ValidationError as error:
        problems.append(about(at, key, _explained(error, fields[key])))
        return None
    if own and key in _OWN_PATHS and result is not None:
        for path in _paths(key, result):
            if (
                path.startswith(("/", "~"))
                or re.match(r"[A-Za-z]:|.*\\", path)
                or ".." in path.split("/")
            ):
                problems.append(
                    about(
                        at,
                        key,
                        f'"{path}" must be a path inside the project, '
                        "relative to its root, with forward slashes",
                    )
                )
    return result


def _paths(key: str, value: Any) -> list[str]:
    if key == "output-format":
        return [text.partition("=")[2] for text in value]
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [path for paths in value.values() for path in paths]
    return list(value)


_WORDS = {
    "array": "a list",
    "object": "a table",
    "str": "a string",
    "bool": "true or false",
    "int": "an integer",
    "float": "a number",
    "null": "nothing",
}


def _explained(error: msgspec.ValidationError, declared: Any) -> str:
    """msgspec's message in the words of a TOML file."""
    text = str(error)
    bad = re.match(r"Invalid enum value (['\"])(.*?)\1", text)
    if bad:
        schema = msgspec.json.schema(declared)
        choices = schema.get("enum") or next(
            d["enum"] for d in schema["$defs"].values() if "enum" in d
        )
        meant = nearest(bad[2], choices)
        listed = ", ".join(choices[:-1]) + " or " + choices[-1]
        return f'expected {listed}, found "{bad[2]}"' + (
            f': did you mean "{meant}"?' if meant else ""
        )
    text = re.sub(r"`(\w+)(?: \| null)?`", lambda m: _WORDS.get(m[1], m[1]), text.split(" - at")[0])
    text = text[:1].lower() + text[1:]
    return text.replace(", got", ", found")
