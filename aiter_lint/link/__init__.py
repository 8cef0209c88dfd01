"""Stage three: `FileFacts` become a `Project`: kernels, launches, and what values reach them."""

from __future__ import annotations

__all__ = ["link"]


def __getattr__(name: str) -> object:
    """`link`, once it is asked for: who only wants a record should not load the evaluator."""
    if name == "link":
        from aiter_lint.link.linker import link

        return link
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
