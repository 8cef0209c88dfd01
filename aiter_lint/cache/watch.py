"""What the answer of a run depends on, told from what the run looked at."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence

from aiter_lint.cache.answer import Watched
from aiter_lint.discover import Tree


def watched(
    tree: Tree,
    named: Sequence[str],
    read: Iterable[str],
    settings: Iterable[str],
    cache: str,
) -> Watched | None:
    """All that must stay as it is. `named` are PATHS, `read` are files of the project that were
    opened for more than their facts, `settings` absolute paths that say what the run does; the
    folder `cache` may change. None where the answer can't be told to be the same later."""
    if tree.root == os.sep or any(os.path.realpath(path) != path for path in named):
        return None
    inside = {*tree.python, *tree.folders, *read}
    inside.discard(cache.removeprefix(tree.root + os.sep).replace(os.sep, "/"))
    listed = [f"/{path}" if path else "" for path in sorted(inside)]
    around = {folder for path in named for folder in (path, *_above(path))}
    asked = (path for path in tree.asked if not path.startswith(cache + os.sep))
    followed = {*asked, *settings, *_program()}
    followed |= {os.path.join(folder, "pyproject.toml") for folder in around}
    kinds = {*tree.links, *named}
    kinds |= {os.path.join(f, name) for f in around for name in (".git", "__init__.py")}
    every = [tree.root, *listed, *followed, *kinds]
    if any("\0" in path for path in every):
        return None
    return Watched(tree.root, listed, sorted(followed), sorted(kinds))


def _above(path: str) -> Iterator[str]:
    """The folders above, up to the root of the file system."""
    while (parent := os.path.dirname(path)) != path:
        yield parent
        path = parent


def _program() -> Iterator[str]:
    """What the program itself is: where it was installed, the folder that any installation
    changes; where it is worked on, all of its files."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for name in ("msgspec", "libcst"):
        module = sys.modules.get(name)
        if module is not None and module.__file__:
            yield os.path.dirname(os.path.dirname(module.__file__))
    yield os.path.join(package, "__init__.py")
    if os.path.basename(os.path.dirname(package)) in ("site-packages", "dist-packages"):
        yield os.path.dirname(package)
        return
    for folder, folders, files in os.walk(package):
        folders[:] = [name for name in folders if name != "__pycache__"]
        yield folder
        yield from (os.path.join(folder, name) for name in files if name.endswith(".py"))
