"""The commands and their options. What each one does stands in a file of its own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import click

from aiter_lint import __version__
from aiter_lint.cli import terminal
from aiter_lint.cli.options import (
    FIXES,
    PROJECT,
    REPORT,
    RULES,
    config_option,
    paths_argument,
    settings_options,
)
from aiter_lint.settings import SettingsError

_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=_CONTEXT)
@click.version_option(__version__, prog_name="aiter-lint", message="%(prog)s %(version)s")
def main() -> None:
    """Prove that every Triton and Gluon kernel shows up in a profile under a name that
    identifies its configuration.

    Exit codes: 0 clean, 1 findings, 2 the run is not to be trusted."""


def _check_options(command: Any) -> Any:
    for decorate in reversed((
        paths_argument,
        settings_options(*RULES, *REPORT, *FIXES),
        click.option("--diff", is_flag=True, help="Print what fixes would change."),
        click.option("--since", metavar="REV", help="Report only what changed since then."),
        click.option("--no-baseline", is_flag=True, help="Report what the baseline lists, too."),
        click.option(
            "--stdin-filename",
            metavar="PATH",
            help="Read that file's content from standard input, and report on it alone.",
        ),
        click.option("--show-files", is_flag=True, help="List the files that are reported."),
        click.option("--show-settings", is_flag=True, help="Print the settings that count."),
        config_option,
        settings_options(*PROJECT),
    )):  # fmt: skip
        command = decorate(command)
    return command


@main.command()
@_check_options
@click.option("--fix", is_flag=True, help="Apply safe fixes.")
@click.pass_obj
def check(arguments: Sequence[str] | None, **parameters: Any) -> int:
    """Report findings. PATHS choose what is reported; the project is always read whole."""
    from aiter_lint.cli.check import check as execute

    return execute(parameters, arguments)


@main.command()
@_check_options
def fix(**parameters: Any) -> int:
    """Apply safe fixes, repr stubs included: the same as check --fix."""
    from aiter_lint.cli.check import check as execute

    return execute({**parameters, "fix": True})


@main.command()
@paths_argument
@click.option(
    "--output-format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    help="How kernels are listed.",
)
@click.option("--verbose", is_flag=True, help="Show suggested keys, and why others are left out.")
@config_option
@settings_options("output-file", *PROJECT)
def kernels(**parameters: Any) -> int:
    """List kernels: role, parameters, repr, launches and the values that they pass."""
    from aiter_lint.cli.kernels import kernels as execute

    return execute(parameters)


@main.command()
@click.argument("rule")
@click.option("--output-format", "format_", type=click.Choice(["text", "json"]), default="text")
def explain(rule: str, format_: str) -> int:
    """Print the page of a RULE, given by code or name."""
    from aiter_lint.cli.rules import explain as execute

    return execute(rule, format_)


@main.command()
@click.option("--output-format", "format_", type=click.Choice(["text", "json"]), default="text")
def rules(format_: str) -> int:
    """List all rules."""
    from aiter_lint.cli.rules import rules as execute

    return execute(format_)


@main.command()
@paths_argument
@click.option("--prune", is_flag=True, help="Only remove entries that are no longer needed.")
@config_option
@settings_options(*RULES, "fail-on", *PROJECT)
def baseline(**parameters: Any) -> int:
    """Write down the findings of today, so that check reports only new ones."""
    from aiter_lint.cli.baseline import baseline as execute

    return execute(parameters)


def run(arguments: Sequence[str]) -> int:
    """Run a command line and give its exit code. What goes wrong is told in one line each."""
    try:
        code = main.main(
            list(arguments) or ["--help"],
            prog_name="aiter-lint",
            standalone_mode=False,
            obj=tuple(arguments),
        )
        return code if isinstance(code, int) else 0
    except SettingsError as error:
        for problem in error.problems:
            terminal.error(problem)
        return 2
    except click.ClickException as error:
        terminal.error(_one_line(error))
        return 2
    except (KeyboardInterrupt, click.Abort):
        terminal.error("interrupted")
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 2
    except Exception as error:
        from aiter_lint.pipeline.check import TRACEBACKS, crash

        terminal.error(
            f"internal error: {crash(error)}; set {TRACEBACKS}=1 to see where, and report it"
        )
        return 2


def _one_line(error: click.ClickException) -> str:
    message = error.format_message().rstrip(".")
    context = getattr(error, "ctx", None)
    if isinstance(error, click.UsageError) and context is not None:
        return f"{message}: see `{context.command_path} --help`"
    return message
