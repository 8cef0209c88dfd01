"""Stage zero: what the user wants. Declared, typed and validated in one place."""

from aiter_lint.settings.declaration import Settings, declared
from aiter_lint.settings.load import (
    Loaded,
    Location,
    SettingsError,
    about,
    has_table,
    load,
    locate,
    rule_mistakes,
    shown,
)

__all__ = [
    "Loaded",
    "Location",
    "Settings",
    "SettingsError",
    "about",
    "declared",
    "has_table",
    "load",
    "locate",
    "rule_mistakes",
    "shown",
]
