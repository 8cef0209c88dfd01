"""What is to be done about each finding, as edits. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from aiter_lint.finding import (
    AddKey,
    Finding,
    Fix,
    InsertRepr,
    RemoveBuilder,
    RemoveIgnore,
    RemoveKey,
    RemoveRepr,
    Repair,
    UseRepr,
)
from aiter_lint.fix.document import Unfixable
from aiter_lint.fix.workspace import Files, Workspace
from aiter_lint.link.project import Project
from aiter_lint.settings import Settings


def plan(
    findings: Iterable[Finding], project: Project, files: Files, settings: Settings
) -> list[Finding]:
    """The findings with their fixes. Where a rule has a repair that can't be made, the message
    says why, and what would help."""
    work = Workspace(project, files, settings)
    return [_planned(work, finding) for finding in findings]


def _planned(work: Workspace, finding: Finding) -> Finding:
    if finding.repair is None or finding.fix is not None:
        return finding
    try:
        return msgspec.structs.replace(finding, fix=_fix(work, finding.repair))
    except Unfixable as error:
        message = f"{finding.message}; no automatic fix: {error}"
        return msgspec.structs.replace(finding, message=message)


def _fix(work: Workspace, repair: Repair) -> Fix:
    # Imported here: most runs have nothing to fix.
    from aiter_lint.fix.builders import remove_builder, remove_repr, use_repr
    from aiter_lint.fix.comments import remove_ignore
    from aiter_lint.fix.keys import add_key, remove_key
    from aiter_lint.fix.stub import insert_stub

    if isinstance(repair, InsertRepr):
        return insert_stub(work, work.kernel(repair.kernel))
    if isinstance(repair, RemoveRepr):
        return remove_repr(work, [work.kernel(repair.kernel)])
    if isinstance(repair, UseRepr):
        return use_repr(work, work.kernel(repair.kernel), repair.variable)
    if isinstance(repair, RemoveBuilder):
        return remove_builder(work, work.builder(repair.builder))
    if isinstance(repair, RemoveKey):
        return remove_key(work, repair)
    if isinstance(repair, AddKey):
        return add_key(work, work.kernel(repair.kernel), repair)
    if isinstance(repair, RemoveIgnore):
        return remove_ignore(work, repair)
    raise TypeError(f"no fix is known for {type(repair).__name__}")
