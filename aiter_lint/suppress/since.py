"""What changed since a revision: only findings that the change touches are told."""

from __future__ import annotations

import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from aiter_lint.finding import Finding
from aiter_lint.link.project import Project
from aiter_lint.settings import SettingsError
from aiter_lint.span import Place

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_QUOTED = re.compile(r"\\([0-7]{3}|.)")
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}


@dataclass(frozen=True, slots=True)
class Changes:
    """Changed lines by path relative to the root, as (first, last) pairs. Lines that were only
    removed leave (n + 1, n): a gap behind line n."""

    lines: Mapping[str, tuple[tuple[int, int], ...]]

    def touch(self, finding: Finding, project: Project) -> bool:
        """Whether the change touches the finding's place, one that belongs to it, or the
        decorators or the signature of its kernel."""
        places = [finding.place, *(related.place for related in finding.related)]
        if any(self._touch(place, place.span.line) for place in places):
            return True
        if finding.kernel is None:
            return False
        named = [kernel for kernel in project.kernels if kernel.qualname == finding.kernel]
        here = [kernel for kernel in named if kernel.path == finding.place.path]
        return any(self._touch(k.head, k.head.span.end_line) for k in here or named)

    def _touch(self, place: Place, last: int) -> bool:
        first = place.span.line
        return any(
            start <= last and end >= first if start <= end else first <= end < last
            for start, end in self.lines.get(place.path, ())
        )


def changes_since(root: str, revision: str) -> Changes:
    """What changed in the project since the revision from which the current one and `revision`
    come. `SettingsError` without git, outside a repository, or for an unknown revision."""
    commit = _git(
        root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"
    )
    if commit is None:
        if _git(root, "rev-parse", "--git-dir") is None:
            raise SettingsError(f"--since: {root} is not in a git repository")
        raise SettingsError(f'--since: git knows no revision "{revision}"')
    commit = commit.strip()
    base = (_git(root, "merge-base", commit, "HEAD") or commit).strip().split("\n")[0]
    difference = _git(
        root, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "--unified=0", "--relative",
        "--no-renames", "--src-prefix=a/", "--dst-prefix=b/", base, "--", ".",
    )  # fmt: skip
    if difference is None:
        raise SettingsError(f'--since: git can\'t compare with "{revision}"')
    lines: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for path, first, last in _hunks(difference):
        lines[path].append((first, last))
    new = _git(root, "ls-files", "--others", "--exclude-standard", "-z", "--", ".") or ""
    for path in new.split("\0"):
        if path:
            lines[path] = [(1, 1 << 60)]
    return Changes({path: tuple(ranges) for path, ranges in lines.items()})


def _git(root: str, *arguments: str) -> str | None:
    """What git prints; None where it fails. Nothing that a repository configures is run."""
    command = [
        "git", "-C", root, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.devnull,
        "-c", "core.quotePath=false", *arguments,
    ]  # fmt: skip
    environment = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
    try:
        done = subprocess.run(command, capture_output=True, env=environment, check=False)
    except OSError as error:
        raise SettingsError(f"--since: git can't be run: {error.strerror}") from None
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else None


def _hunks(difference: str) -> Iterator[tuple[str, int, int]]:
    """Path and changed lines of each hunk of a `git diff --unified=0`."""
    path: str | None = None
    body = 0  # lines of the hunk that are still to come
    for line in difference.split("\n"):
        if body > 0 and line[:1] in ("+", "-"):
            body -= 1
        elif line.startswith("+++ "):
            path = _unquoted(line[4:])
        elif line.startswith("@@ "):
            hunk = _HUNK.match(line)
            if hunk and path is not None:
                removed, first, count = (int(part or 1) for part in hunk.groups())
                body = removed + count
                yield (path, first, first + count - 1) if count else (path, first + 1, first)


def _unquoted(name: str) -> str | None:
    """The path in a `+++` line; None for a file that was removed."""
    name = name.rstrip("\t")
    if name == "/dev/null":
        return None
    if name.startswith('"'):
        data = name[1:-1].encode("utf-8", "surrogateescape").decode("latin-1")
        name = _QUOTED.sub(_escape, data).encode("latin-1").decode("utf-8", "surrogateescape")
    return name.removeprefix("b/")


def _escape(match: re.Match[str]) -> str:
    code = match[1]
    return chr(int(code, 8)) if len(code) == 3 else chr(_ESCAPES.get(code, ord(code)))
