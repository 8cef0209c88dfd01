"""Which module a file is, and which file an import means.

A file may be reachable under several dotted names (a package below `src/`, a script next to its
module). An import is looked up as Python would: in the package's own root, or next to a script,
then in the roots of the project. Never by a bare name alone."""

from __future__ import annotations

from collections.abc import Iterable

_OUTSIDE = frozenset({"triton", "torch"})
"""Packages that a folder of the same name does not stand for, except in Triton's own tree: a
project's `ops/triton/` would hide every kernel."""


class Modules:
    """The module table of a project; paths are relative to its root, with forward slashes."""

    def __init__(self, paths: Iterable[str], source_roots: Iterable[str] = ()) -> None:
        self.paths = frozenset(paths)
        self._folders: set[str] = {""}
        for path in self.paths:
            while "/" in path:
                path = path.rsplit("/", 1)[0]
                if path in self._folders:
                    break
                self._folders.add(path)
        self._packages = {
            p[: -len("/__init__.py")] for p in self.paths if p.endswith("/__init__.py")
        }
        given = [root.strip("/").removeprefix("./") for root in source_roots]
        tops = {parent(folder) for folder in self._packages if parent(folder) not in self._packages}
        standard = [root for root in ("", "src", "python") if root in self._folders]
        self.roots = [r if r != "." else "" for r in given] or standard + sorted(
            tops - set(standard)
        )
        self._holds_triton = any(p.endswith("triton/runtime/jit.py") for p in self.paths)
        self._found: dict[tuple[str, str], str | None] = {}
        self._names: dict[str, str] = {}

    def home(self, path: str) -> str:
        """The folder that holds the file's top-level package, or the file itself."""
        folder = parent(path)
        while folder in self._packages:
            folder = parent(folder)
        return folder

    def name(self, path: str) -> str:
        """The dotted name of a file: from its package's root, else from the nearest source root."""
        known = self._names.get(path)
        if known is None:
            home = self.home(path)
            if home == parent(path) and not path.endswith("/__init__.py"):  # no package around it
                inside = [r for r in self.roots if r == "" or path.startswith(r + "/")]
                home = max((r for r in inside if r in ("", "src", "python")), key=len, default=home)
            rest = path[len(home) + 1 if home else 0 :]
            known = rest.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            self._names[path] = known
        return known

    def find(self, module: str, importer: str) -> str | None:
        """The path of an absolute module as `importer` would get it: a file, a package's
        `__init__.py`, or a folder (a namespace package, with a trailing slash)."""
        if module.split(".", 1)[0] in _OUTSIDE and not self._holds_triton:
            return None
        home = self.home(importer)
        key = (module, home)
        if key not in self._found:
            self._found[key] = self._search(module, home)
        return self._found[key]

    def _search(self, module: str, home: str) -> str | None:
        tail = module.replace(".", "/")
        folder = None
        for root in [home, *(r for r in self.roots if r != home)]:
            stem = f"{root}/{tail}" if root else tail
            if stem + "/__init__.py" in self.paths:
                return stem + "/__init__.py"
            if stem + ".py" in self.paths:
                return stem + ".py"
            if folder is None and stem in self._folders and stem:
                folder = stem + "/"
        return folder

    def child(self, package: str, name: str) -> str | None:
        """The submodule `name` of a package given by the path `find` returned."""
        folder = package.removesuffix("/__init__.py") if package.endswith(".py") else package[:-1]
        if package.endswith(".py") and not package.endswith("/__init__.py"):
            return None
        stem = f"{folder}/{name}" if folder else name
        if stem + "/__init__.py" in self.paths:
            return stem + "/__init__.py"
        if stem + ".py" in self.paths:
            return stem + ".py"
        return stem + "/" if stem in self._folders else None

    def relative(self, importer: str, level: int, module: str) -> str | None:
        """The path that `from ..module import` means in `importer`."""
        folder = parent(importer)
        for _ in range(level - 1):
            if not folder:
                return None
            folder = parent(folder)
        stem = "/".join(p for p in (folder, module.replace(".", "/")) if p)
        if not module:
            return (
                f"{stem}/__init__.py" if stem in self._packages else (stem + "/" if stem else "/")
            )
        if stem + "/__init__.py" in self.paths:
            return stem + "/__init__.py"
        if stem + ".py" in self.paths:
            return stem + ".py"
        return stem + "/" if stem in self._folders else None


def parent(path: str) -> str:
    """The folder of a path, empty at the root."""
    return path.rsplit("/", 1)[0] if "/" in path else ""
