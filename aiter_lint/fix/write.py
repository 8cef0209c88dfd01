"""Changed files are put in place of the old ones: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from collections.abc import Iterable

from aiter_lint.fix.apply import Changed


def write_all(root: str, changed: Iterable[Changed]) -> list[str]:
    """Write files below `root`. What could not be written is named, a line each; the others are."""
    problems = []
    for change in changed:
        try:
            _write(root, change)
        except _Refusal as error:
            problems.append(f"{change.path}: not changed: {error}")
        except OSError as error:
            problems.append(f"{change.path}: not changed: {error.strerror or error}")
    return problems


class _Refusal(Exception):
    pass


def _write(root: str, change: Changed) -> None:
    # A link's target is replaced, not the link; but nothing outside of the project.
    target = os.path.realpath(os.path.join(root, change.path))
    if os.path.commonpath([target, os.path.realpath(root)]) != os.path.realpath(root):
        raise _Refusal("it is a link that leads out of the project")
    state = os.stat(target)
    if not stat.S_ISREG(state.st_mode):
        raise _Refusal("it is no regular file any more")
    if not state.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise _Refusal("it is read-only; make it writable and run again")
    with open(target, "rb") as file:
        if file.read() != change.before:
            raise _Refusal("it was changed by something else meanwhile; run again")
    descriptor, fresh = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".aiter-lint-")
    try:
        with open(descriptor, "wb") as file:
            file.write(change.after)
            file.flush()
            os.fsync(file.fileno())
        if hasattr(os, "chown"):
            with contextlib.suppress(OSError):  # only the owner's group may be ours to give
                os.chown(fresh, state.st_uid, state.st_gid)
        os.chmod(fresh, stat.S_IMODE(state.st_mode))
        os.replace(fresh, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(fresh)
        raise
