"""Stage zero: what the user wants. Declared, typed and validated in one place."""

from aiter_lint.settings.declaration import Settings

__all__ = ["Settings"]
