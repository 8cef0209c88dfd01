"""What PATHS choose: the files whose findings are told. The project is read whole anyway."""

from __future__ import annotations

import os
from collections.abc import Iterable


class Scope:
    """The reported part of a project; paths are relative to its root, with forward slashes."""

    def __init__(self, root: str, named: Iterable[str]) -> None:
        """`named` are real, absolute paths inside the root."""
        self._files: set[str] = set()
        self._folders: set[str] = set()
        self.whole = False
        for path in named:
            relative = os.path.relpath(path, root).replace(os.sep, "/")
            if relative == ".":
                self.whole = True
            elif os.path.isdir(path):
                self._folders.add(relative)
            else:
                self._files.add(relative)

    def __contains__(self, path: object) -> bool:
        if self.whole:
            return True
        assert isinstance(path, str)
        if path in self._files:
            return True
        if not self._folders:
            return False
        end = len(path)
        while end > 0:
            if path[:end] in self._folders:
                return True
            end = path.rfind("/", 0, end)
        return False
