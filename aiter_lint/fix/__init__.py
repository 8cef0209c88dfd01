"""Stage six: findings -> edits. Only files that have something to fix are parsed again."""
