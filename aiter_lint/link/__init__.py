"""Stage three: all `FileFacts` become a `Project`: kernels, launches, and what values reach them."""

from aiter_lint.link.linker import link

__all__ = ["link"]
