"""Every setting, declared once: its name, its type, its default and what it means.

The command line's options, the validation of `pyproject.toml` and the JSON schema all come
from here. In TOML and on the command line a setting is written with dashes: `fail-on`."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from aiter_lint.finding import Severity

Rules = tuple[str, ...]
"""Rules by code (`AIT201`), by name (`unknown-key`) or by the start of a code (`AIT2`)."""

Color = Literal["auto", "always", "never"]


@functools.cache
def declared() -> Mapping[str, Any]:
    """The types of all settings, with what they mean, by dashed name."""
    return {field.encode_name: field.type for field in msgspec.structs.fields(Settings)}


class Settings(msgspec.Struct, frozen=True, kw_only=True, rename="kebab"):
    """What a project says about how it wants to be linted; immutable."""

    select: Annotated[
        Rules,
        Meta(
            description="The rules that run: codes, names, or the start of a code (`AIT2`). "
            "Default: all that are on by default. An advice rule that is selected by its own code "
            "or name is shown whatever `min-severity` says."
        ),
    ] = ()
    extend_select: Annotated[
        Rules, Meta(description="Rules that run beside the selected ones.")
    ] = ()
    ignore: Annotated[Rules, Meta(description="Rules that don't run, whatever selects them.")] = ()
    per_file_ignores: Annotated[
        Mapping[str, Rules],
        Meta(
            description="Rules that are not reported in some files: gitignore patterns, relative "
            "to the project's root, to rules. A pattern that starts with `!` means all other files."
        ),
    ] = {}
    min_severity: Annotated[
        Severity,
        Meta(description="The least severity that is shown; the summary counts what is hidden."),
    ] = Severity.WARNING
    fail_on: Annotated[
        Severity | None,
        Meta(
            description="The least severity that makes the exit code 1; it is shown then, whatever "
            "min-severity says. Default: of what is shown, warnings and errors."
        ),
    ] = None
    exclude: Annotated[
        tuple[str, ...],
        Meta(
            description="Files and folders that are not part of the project: gitignore patterns, "
            "relative to its root, beside .gitignore and the usual ones (.venv, node_modules, "
            "...). `!pattern` takes one back."
        ),
    ] = ()
    force_exclude: Annotated[
        bool,
        Meta(description="Leave excluded files out even where they are named as PATHS."),
    ] = False
    source_roots: Annotated[
        tuple[str, ...],
        Meta(
            description="Folders that absolute imports start from, relative to the project's "
            "root. Default: found from the packages."
        ),
    ] = ()
    repr_builders: Annotated[
        tuple[str, ...],
        Meta(
            description="Functions that build a repr from a name and a list of keys: dotted names, "
            "also of installed packages; a bare name means any function of that name."
        ),
    ] = ("make_kernel_repr",)
    repr_builder: Annotated[
        str | None,
        Meta(
            description="The builder that inserted stubs import, as a dotted name. Default: the "
            "one `make_kernel_repr` that the project defines."
        ),
    ] = None
    jit_decorators: Annotated[
        tuple[str, ...],
        Meta(description="The project's own jit decorators, as dotted names."),
    ] = ()
    launch_options: Annotated[
        tuple[str, ...],
        Meta(
            description="Keywords of a launch that are options of the backend, beside Triton's own "
            "(num_warps, num_stages, ...)."
        ),
    ] = ()
    config_loaders: Annotated[
        Mapping[str, tuple[str, ...]],
        Meta(
            description="Functions that load a mapping from JSON files, by dotted name, and the "
            "files that stand behind each: a glob or a list of them, relative to the root."
        ),
    ] = {}
    kernel_packages: Annotated[
        tuple[str, ...],
        Meta(
            description="Packages or folders that may define launchable kernels (for "
            "kernel-outside-kernel-package)."
        ),
    ] = ()
    wrapper_packages: Annotated[
        tuple[str, ...],
        Meta(
            description="Packages or folders that may launch kernels (for launch-outside-wrapper)."
        ),
    ] = ()
    baseline: Annotated[
        str,
        Meta(description="The file that lists the findings to pass over, relative to the root."),
    ] = "aiter-lint-baseline.json"
    unsafe_fixes: Annotated[
        bool, Meta(description="Apply unsafe fixes too, where fixes are applied.")
    ] = False
    output_format: Annotated[
        tuple[str, ...],
        Meta(description="How findings are printed; `format=path` writes to a file."),
    ] = ("full",)
    output_file: Annotated[
        str | None,
        Meta(description="Where findings are printed, instead of standard output."),
    ] = None
    statistics: Annotated[
        bool,
        Meta(description="Print findings by rule, and what of the project could be resolved."),
    ] = False
    exit_zero: Annotated[bool, Meta(description="Exit 0 although there are findings.")] = False
    exit_non_zero_on_fix: Annotated[
        bool,
        Meta(description="Exit 1 when a fix was applied, even if no finding is left."),
    ] = False
    no_cache: Annotated[bool, Meta(description="Neither read nor write the cache.")] = False
    cache_dir: Annotated[
        str,
        Meta(description="The cache's folder, relative to the project's root."),
    ] = ".aiter_lint_cache"
    jobs: Annotated[
        int,
        Meta(ge=0, le=1024, description="How many processes read files; 0: one a core."),
    ] = 0
    color: Annotated[Color, Meta(description="Colours: on a terminal, always or never.")] = "auto"
