"""Stage six: findings -> edits. Only files that have something to fix are parsed again.

`plan` fills in the fix of each finding; `fix_all` applies fixes in memory until none is left;
`write_all` puts the result on disk, `unified` shows it."""

from aiter_lint.fix.apply import Changed, Fixed, Refused, fix_all
from aiter_lint.fix.diff import unified
from aiter_lint.fix.plan import plan
from aiter_lint.fix.write import write_all

__all__ = ["Changed", "Fixed", "Refused", "fix_all", "plan", "unified", "write_all"]
