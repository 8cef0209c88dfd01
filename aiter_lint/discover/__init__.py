"""Stage one: which files make up the project, and which of them a run reports."""

from aiter_lint.discover.scope import Scope
from aiter_lint.discover.tree import Tree, discover, is_excluded

__all__ = ["Scope", "Tree", "discover", "is_excluded"]
