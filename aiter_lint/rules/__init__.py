"""Stage four: `Project` -> findings. Pure, one rule a file, no I/O."""
