"""Stage two: one file's bytes become `FileFacts`. Syntax trees never leave this package."""
