"""How the fix tests are written: a module before, and the module after.

Every module is fixed as a project of its own in a temporary folder, beside `names.py` with the
builder, through the real stages. `check_noop` says that nothing happens, `check_transformed` what
does; both make sure that the result parses and that a second run changes nothing."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from aiter_lint.fix import Fixed, fix_all
from aiter_lint.pipeline import Request, run
from aiter_lint.pipeline.selection import select
from aiter_lint.settings import Settings

HEAD = """\
import triton
import triton.language as tl
from names import make_kernel_repr

"""
NAMES = """\
def make_kernel_repr(base_name, config_keys, name_key=None):
    return lambda specialization: base_name
"""


def fix_tree(root: Path, *, unsafe: bool = False, **settings: object) -> Fixed:
    """The fixes of a folder, not written."""
    chosen = Settings(**settings)
    request = Request(
        root=os.path.realpath(root),
        settings=chosen,
        selection=select(chosen),
        named=(os.path.realpath(root),),
        jobs=1,
    )
    return fix_all(lambda overlay: run(replace(request, overlay=overlay)), unsafe=unsafe)


def fixed(files: Mapping[str, str | bytes], **options: object) -> tuple[dict[str, bytes], Fixed]:
    """The files of a project after its fixes, and what was done. `names.py` is there unless
    `files` has another, or says None."""
    contents = {"names.py": NAMES, **files}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, content in contents.items():
            if content is not None:
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content if isinstance(content, bytes) else content.encode())
        outcome = fix_tree(root, **options)
        for change in outcome.changed:
            ast.parse(change.after)
            assert (root / change.path).read_bytes() == change.before, "nothing is written yet"
            (root / change.path).write_bytes(change.after)
        again = fix_tree(root, **options)
        assert not again.changed, again.changed
        after = {n: (root / n).read_bytes() for n, c in contents.items() if c is not None}
        return after, outcome


def check_noop(source: str, *, says: str | None = None, **options: object) -> None:
    """Nothing in this module is fixed; `says` is part of a message that tells why."""
    files, outcome = fixed({"m.py": source}, **options)
    assert files["m.py"].decode() == source
    assert not outcome.applied
    if says is not None:
        assert any(says in finding.message for finding in outcome.left), outcome.left


def check_transformed(before: str, after: str, **options: object) -> Fixed:
    """This module becomes that one, and ruff would format it as it is."""
    files, outcome = fixed({"m.py": before}, **options)
    assert files["m.py"].decode() == after
    assert not outcome.refused
    assert formatted(before) != before or formatted(after) == after
    return outcome


def formatted(source: str) -> str:
    """The source as `ruff format` writes it."""
    command = [sys.executable, "-m", "ruff", "format", "--isolated", "--stdin-filename=m.py", "-"]
    done = subprocess.run(command, input=source.encode(), capture_output=True, check=True)
    return done.stdout.decode()
