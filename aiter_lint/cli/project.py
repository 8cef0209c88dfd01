"""From a command line to a request: PATHS, the project they belong to, its settings."""

from __future__ import annotations

import dataclasses
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from aiter_lint.cli.options import overrides
from aiter_lint.discover.tree import is_below, printable
from aiter_lint.pipeline.selection import Selection, mistake, select
from aiter_lint.settings import (
    Loaded,
    Location,
    Settings,
    SettingsError,
    about,
    load,
    locate,
    rule_mistakes,
    shown,
)


@dataclass(frozen=True, slots=True)
class Invocation:
    """A command line, understood. `named` are real, absolute paths inside the project."""

    location: Location
    loaded: Loaded
    selection: Selection
    named: tuple[str, ...]

    @property
    def settings(self) -> Settings:
        """The settings of the run."""
        return self.loaded.settings


def invocation(
    paths: Sequence[str],
    parameters: Mapping[str, Any],
    *,
    formats: Sequence[str] = (),
    absent: bool = False,
) -> Invocation:
    """Understand the PATHS and options of a command; `SettingsError` says all that is wrong.
    `formats` are the output formats that there are; with `absent` a path need not exist."""
    named = real_paths(paths or ["."], absent=absent)
    location = locate(named)
    given = parameters.get("config")
    if given is not None:
        if not os.path.isfile(given):
            raise SettingsError(f"--config: there is no file {given}")
        location = dataclasses.replace(location, config=os.path.abspath(given))
    loaded = load(location.config, overrides(parameters))
    problems = rule_mistakes(loaded, mistake)
    problems += _format_mistakes(loaded, formats)
    loaded = _with_full_paths(loaded, location.root, problems)
    if problems:
        raise SettingsError(*problems)
    return Invocation(location, loaded, select(loaded.settings), named)


def real_paths(paths: Sequence[str], *, absent: bool = False) -> tuple[str, ...]:
    """PATHS as real, absolute paths, without repeats; `SettingsError` for what is no file."""
    found: dict[str, None] = {}
    problems = []
    for path in paths:
        real = os.path.realpath(path)
        try:
            mode = os.stat(real).st_mode
        except (OSError, ValueError) as error:
            if absent and isinstance(error, FileNotFoundError):
                found[real] = None
                continue
            strange = not isinstance(error, FileNotFoundError | NotADirectoryError)
            why = getattr(error, "strerror", None) or str(error)
            problems.append(f"{path}: {why}" if strange else f"{path}: no such file or folder")
            continue
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            problems.append(f"{path}: neither a file nor a folder")
        if printable(real) != real:
            problems.append(f"{printable(path)}: the name is not in UTF-8")
        found[real] = None
    if problems:
        raise SettingsError(*problems)
    return tuple(found)


def _with_full_paths(loaded: Loaded, root: str, problems: list[str]) -> Loaded:
    """The settings with absolute paths of what is written: from where the user stands, if the
    command line names them; else from the root, and then no link may lead out of it."""

    def full(key: str, path: str | None) -> str | None:
        if not path:
            return path
        origin = loaded.origins.get(key, "")
        if origin == f"--{key}":
            return os.path.abspath(path)
        if not is_below(os.path.realpath(os.path.join(root, path)), root):
            problems.append(about(origin, key, f'"{path}" is a link out of the project'))
        return os.path.join(root, path)

    settings = loaded.settings
    formats = []
    for text in settings.output_format:
        name, sign, path = text.partition("=")
        formats.append(f"{name}{sign}{full('output-format', path)}")
    changed = msgspec.structs.replace(
        settings,
        baseline=full("baseline", settings.baseline),
        cache_dir=full("cache-dir", settings.cache_dir),
        output_file=full("output-file", settings.output_file),
        output_format=tuple(formats),
    )
    return dataclasses.replace(loaded, settings=changed)


def _format_mistakes(loaded: Loaded, formats: Sequence[str]) -> list[str]:
    from aiter_lint.nearest import nearest

    if not formats:
        return []
    problems = []
    pathless = [text for text in loaded.settings.output_format if "=" not in text]
    if loaded.settings.output_file is not None and len(pathless) > 1:
        problems.append(
            about(
                loaded.origins["output-file"],
                "output-file",
                f"several formats can't share a file: write {pathless[1]}=PATH",
            )
        )
    for text in loaded.settings.output_format:
        name = text.partition("=")[0]
        if name not in formats:
            meant = nearest(name, formats)
            hint = f'did you mean "{meant}"?' if meant else f"choose from {', '.join(formats)}"
            problems.append(
                about(
                    loaded.origins["output-format"],
                    "output-format",
                    f'there is no output format "{name}": {hint}',
                )
            )
    return problems


def display(location: Location, path: str) -> str:
    """A path of the project as users read it: relative to where they stand."""
    full = os.path.join(location.root, path)
    try:
        return os.path.relpath(full).replace(os.sep, "/")
    except ValueError:  # another drive
        return shown(full)
