"""Stage one: which files make up the project.

Python and JSON files below the root, without what .gitignore, the settings and good sense
exclude. Symbolic links are not followed: what they point at inside the project is read where
it stands, and what lies outside does not belong to it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from aiter_lint.discover.gitignore import Patterns, read_patterns
from aiter_lint.settings import has_table

SKIPPED = frozenset({
    ".aiter_lint_cache", ".bzr", ".direnv", ".eggs", ".git", ".hg", ".hypothesis",
    ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pytest_cache", ".pytype", ".ruff_cache", ".svn",
    ".tox", ".venv", "__pycache__", "__pypackages__", "node_modules", "site-packages", "venv",
})  # fmt: skip
"""Folders that never hold a project's own code."""

BUILT = frozenset({"build", "dist"})
"""Folders that a build makes beside these files; elsewhere they are packages like any other."""
BUILD_FILES = frozenset({"pyproject.toml", "setup.py", "setup.cfg"})


@dataclass(frozen=True, slots=True)
class Tree:
    """The files of a project; paths are relative to its root, with forward slashes.

    `python` holds the Python files with what the file system says of each, sorted by path.
    `problems` are folders that can't be read: the run is not to be trusted. `notes` are things
    that were left out and that somebody may expect to be read. What else the answer depends on:
    `folders` were listed, `asked` are absolute paths of files that were read or looked for,
    `links` those of symbolic links."""

    root: str
    python: Mapping[str, os.stat_result]
    json: tuple[str, ...]
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Rules:
    """Patterns of one file, and how a path below the root becomes one relative to that file:
    `cut` characters less, `lead` in front."""

    patterns: Patterns
    cut: int
    lead: str

    def verdict(self, path: str, folder: bool) -> bool | None:
        return self.patterns.verdict(self.lead + path[self.cut :], folder=folder)


_Chain = tuple[_Rules, ...]  # the innermost file first


@dataclass(slots=True)
class _Walk:
    root: str
    exclude: Patterns
    python: dict[str, os.stat_result] = field(default_factory=dict)
    json: list[str] = field(default_factory=list)
    folders: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)

    def run(self, start: str, chain: _Chain) -> None:
        """Read the folder `start` ("" is the root) and everything below."""
        pending = [(start, chain)]
        while pending:
            folder, chain = pending.pop()
            if folder in self.folders:
                continue
            self.folders.add(folder)
            pending.extend(self._read(folder, chain))

    def _read(self, folder: str, chain: _Chain) -> Iterator[tuple[str, _Chain]]:
        try:
            with os.scandir(os.path.join(self.root, folder)) as listing:
                entries = list(listing)
        except OSError as error:
            self.problems.append(f"{folder or '.'}: can't be read: {error.strerror}")
            return
        names = {entry.name for entry in entries}
        if folder and "pyvenv.cfg" in names:
            return
        if folder and "pyproject.toml" in names:
            self.asked.append(os.path.join(self.root, folder, "pyproject.toml"))
            if has_table(os.path.join(self.root, folder, "pyproject.toml")):
                self.notes.append(f"{folder} is a project of its own: not read")
                return
        prefix = folder + "/" if folder else ""
        if ".gitignore" in names:
            chain = self.with_ignores(prefix, chain)
        built = BUILT if names & BUILD_FILES else frozenset()
        for entry in entries:
            name = entry.name
            path = prefix + name
            if entry.is_symlink():
                self._note_link(path, entry, chain)
            elif entry.is_dir(follow_symlinks=False):
                if not self.excluded(path, True, chain, name in SKIPPED or name in built):
                    yield path, chain
            elif name.endswith((".py", ".json")) and not self.excluded(path, False, chain):
                self._take(path, entry)

    def _take(self, path: str, entry: os.DirEntry[str]) -> None:
        if not entry.is_file(follow_symlinks=False):
            self.notes.append(f"{path} is no regular file: not read")
        elif not _is_text(path):
            self.notes.append(f"{printable(path)}: the name is not in UTF-8: not read")
        elif path.endswith(".json"):
            self.json.append(path)
        else:
            try:
                self.python[path] = entry.stat(follow_symlinks=False)
            except OSError as error:
                self.problems.append(f"{path}: can't be read: {error.strerror}")

    def excluded(self, path: str, folder: bool, chain: _Chain, skipped: bool = False) -> bool:
        """Whether an entry is excluded; the folders above it are not."""
        said = self.exclude.verdict(path, folder=folder) if self.exclude else None
        if said is not None:
            return said
        if skipped:
            return True
        for rules in chain:
            verdict = rules.verdict(path, folder)
            if verdict is not None:
                return verdict
        return False

    def with_ignores(self, prefix: str, chain: _Chain) -> _Chain:
        """The rules in a folder: those of the folders above, and its own .gitignore's."""
        path = os.path.join(self.root, prefix, ".gitignore")
        self.asked.append(path)
        try:
            # git does not follow a .gitignore that is a link either
            if not stat.S_ISREG(os.lstat(path).st_mode):
                return chain
            patterns = read_patterns(path)
        except FileNotFoundError:
            return chain
        except OSError as error:
            self.problems.append(f"{prefix}.gitignore: can't be read: {error.strerror}")
            return chain
        return (_Rules(patterns, len(prefix), ""), *chain) if patterns else chain

    def _note_link(self, path: str, entry: os.DirEntry[str], chain: _Chain) -> None:
        """Say that a link is not followed, unless its target is read where it stands."""
        self.links.append(entry.path)
        target = os.path.realpath(entry.path)
        folder = os.path.isdir(target)
        if not folder and not path.endswith(".py"):
            return
        if self.excluded(path, folder, chain, entry.name in SKIPPED):
            return
        if not os.path.exists(entry.path):
            self.notes.append(f"{path} is a symbolic link to nothing: not read")
        elif not is_below(target, self.root):
            self.notes.append(f"{path} is a symbolic link out of the project: not read")
        elif is_below(entry.path, target):
            self.notes.append(f"{path} is a symbolic link to a folder around it: not read")


def discover(
    root: str,
    exclude: Sequence[str] = (),
    named: Sequence[str] = (),
    *,
    start: str = "",
    force: bool = False,
) -> Tree:
    """The files of the project at `root`, a real path, or of its folder `start` alone.

    `named` are PATHS (real, absolute) inside of it: what is excluded but named is read all the
    same, unless `force` says that excludes count for them too."""
    walk = _Walk(root, Patterns(exclude))
    outer = _outer_rules(root, walk)
    walk.run(start, (*_between(walk, start), *outer) if start else outer)
    if not force:
        for path in named:
            relative = os.path.relpath(path, root).replace(os.sep, "/")
            if relative == ".":
                continue
            if not os.path.exists(path):
                continue
            if os.path.isdir(path):
                walk.run(relative, (*_between(walk, relative), *outer))
            elif relative not in walk.python and is_python(path):
                walk.python[relative] = os.stat(path)
    return Tree(
        root,
        dict(sorted(walk.python.items())),
        tuple(sorted(set(walk.json))),
        tuple(sorted(walk.problems)),
        tuple(sorted(walk.notes)),
        tuple(sorted(walk.folders)),
        tuple(sorted(set(walk.asked))),
        tuple(sorted(walk.links)),
    )


def is_excluded(root: str, path: str, exclude: Sequence[str] = ()) -> bool:
    """Whether a path below the root, which need not exist, is excluded by what is said of it or
    of a folder that it lies in."""
    walk = _Walk(root, Patterns(exclude))
    outer = _outer_rules(root, walk)
    parts = path.split("/")
    for count in range(1, len(parts) + 1):
        above = "/".join(parts[:count])
        name, folder = parts[count - 1], count < len(parts)
        chain = (*_between(walk, above), *outer)
        if walk.excluded(above, folder, chain, folder and name in SKIPPED):
            return True
    return False


def is_python(path: str) -> bool:
    """Whether a file that is named is read as Python: a module, or a script without ending."""
    return os.path.splitext(path)[1] in (".py", ".pyw", "")


def is_below(path: str, folder: str) -> bool:
    """Whether an absolute path is the folder or lies inside of it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def printable(path: str) -> str:
    """A path as a terminal can show it."""
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


def _is_text(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _outer_rules(root: str, walk: _Walk) -> _Chain:
    """The ignore files that count for a project inside a larger repository, and git's own
    list. Nothing outside the repository is read."""
    chain: list[_Rules] = []
    lead = ""
    folder = root
    while True:
        if folder != root:
            _append(chain, os.path.join(folder, ".gitignore"), lead, walk)
        git = os.path.join(folder, ".git")
        if os.path.isdir(git):
            _append(chain, os.path.join(git, "info", "exclude"), lead, walk)
            return tuple(chain)
        parent = os.path.dirname(folder)
        if parent == folder or os.path.lexists(git):
            return tuple(chain) if os.path.lexists(git) else ()
        lead = os.path.basename(folder) + "/" + lead
        folder = parent


def _append(chain: list[_Rules], path: str, lead: str, walk: _Walk) -> None:
    walk.asked.append(path)
    try:
        patterns = read_patterns(path)
    except OSError as error:
        walk.problems.append(f"{path}: can't be read: {error.strerror}")
        return
    if patterns:
        chain.append(_Rules(patterns, 0, lead))


def _between(walk: _Walk, relative: str) -> _Chain:
    """The .gitignore files of the folders above a named one, up to the root."""
    chain: _Chain = ()
    above = relative.split("/")[:-1]
    for count in range(len(above) + 1):
        prefix = "".join(part + "/" for part in above[:count])
        chain = walk.with_ignores(prefix, chain)
    return chain
