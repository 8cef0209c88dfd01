"""`aiter-lint` and `python -m aiter_lint`."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; gives the exit code. A run whose answer is known need not import what
    stands below the first line."""
    try:
        from aiter_lint.cli.commands import run

        return run(sys.argv[1:] if arguments is None else arguments)
    except KeyboardInterrupt:
        sys.stderr.write("aiter-lint: error: interrupted\n")
        return 130


if __name__ == "__main__":
    sys.exit(main())
