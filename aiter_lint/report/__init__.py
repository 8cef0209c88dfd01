"""The last stage: findings become text, one format in one file."""
