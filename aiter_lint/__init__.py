"""aiter-lint: checks that GPU kernels show up in a profile under names that identify them."""

__version__ = "0.1.0"
