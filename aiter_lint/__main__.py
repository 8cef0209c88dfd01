"""`aiter-lint` and `python -m aiter_lint`."""

from __future__ import annotations

import os
import sys

from aiter_lint.cache.answer import known_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; gives the exit code. Where an earlier run's answer is known, nothing
    else is imported."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        answer = known_answer(arguments)
        if answer is not None:
            from aiter_lint.cli.terminal import play

            code, pieces = answer
            play(pieces)
            return code
        from aiter_lint.cli.commands import run

        return run(arguments)
    except KeyboardInterrupt:
        sys.stderr.write("aiter-lint: error: interrupted\n")
        return 130


def program() -> None:
    """The program: a run, and nothing after it. Taking apart what a run has built, piece by piece,
    would take as long as a rule or two."""
    code = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass  # nobody listens
    os._exit(code)


if __name__ == "__main__":
    program()
