"""Reprs that are not used as they should be: taken off, exchanged, removed."""

from __future__ import annotations

import re

from aiter_lint.finding import Applicability, Edit, Fix
from aiter_lint.fix.attach import attach, detach
from aiter_lint.fix.document import Document, Unfixable
from aiter_lint.fix.outline import Step
from aiter_lint.fix.stub import attach_risk
from aiter_lint.fix.workspace import Workspace
from aiter_lint.link.project import Builder, Kernel
from aiter_lint.read import syntax as s
from aiter_lint.span import Span


def remove_repr(work: Workspace, kernels: list[Kernel]) -> Fix:
    """Take the repr off kernels, and remove its builder where nothing else uses it."""
    edits: list[Edit] = []
    lost = False
    for kernel in kernels:
        if kernel.repr is None:
            raise Unfixable("the repr is gone")
        if kernel.repr.place.path != kernel.jit.path:
            raise Unfixable("the repr is not an argument of this decorator")
        document = work.document(kernel.jit.path)
        taken, comment = detach(
            document, kernel.jit.span, kernel.repr.place.span, work.limit(document.path)
        )
        edits += taken
        lost = lost or comment
    builder = kernels[0].repr.builder if kernels[0].repr is not None else None
    if builder is not None and builder.statement is not None and not builder.other_uses:
        if all(user in kernels for user in builder.used_by):
            removed, comment = _remove_statement(work, builder)
            edits += removed
            lost = lost or comment
    names = " and ".join(f"`{kernel.name}`" for kernel in kernels)
    return Fix(_safe_unless(lost), f"take the repr off {names}", tuple(edits))


def use_repr(work: Workspace, kernel: Kernel, variable: str) -> Fix:
    """Attach another builder's repr."""
    document = work.document(kernel.jit.path)
    if kernel.repr is None:
        edits = attach(document, kernel.jit.span, variable, work.limit(document.path))
    else:
        value = kernel.repr.value
        if value.path != document.path:
            raise Unfixable("the repr is not an argument of this decorator")
        edits = (document.replace(value.span, variable),)
    lost = kernel.repr is not None and "#" in document.slice(kernel.repr.value.span)
    risk = attach_risk(work, kernel)
    reason = f" ({risk})" if risk else ""
    return Fix(_safe_unless(lost or risk is not None), f"attach `{variable}`{reason}", edits)


def remove_builder(work: Workspace, builder: Builder) -> Fix:
    """Remove a repr that is attached to nothing."""
    edits, lost = _remove_statement(work, builder)
    return Fix(_safe_unless(lost), "remove the unused repr", edits)


def _safe_unless(risk: bool) -> Applicability:
    return Applicability.UNSAFE if risk else Applicability.SAFE


# --- a statement goes ----------------------------------------------------------------------


def _remove_statement(work: Workspace, builder: Builder) -> tuple[tuple[Edit, ...], bool]:
    """Remove the assignment of a builder call with the blank lines that it leaves too many, and
    the import of the builder where this was its last use. The flag says that a comment is lost."""
    if builder.statement is None:
        raise Unfixable("the repr is no assignment of its own")
    document = work.document(builder.statement.path)
    span = builder.statement.span
    steps = work.steps(document.path, span)
    rest = document.line(span.end_line)[span.end_column - 1 :]
    if not steps or not document.starts_line(span.line, span.column) or _code_in(rest):
        raise Unfixable(f"line {span.line} holds other code too")
    lost = "#" in document.slice(span) or "#" in rest
    step = steps[-1]
    if len(step.body) == 1 and len(steps) > 1:
        edit = document.replace(span, "pass")
    else:
        edit = document.replace(_with_blank_lines(document, step, span), "")
    return (edit, *_remove_import(work, document, builder, span)), lost


def _code_in(rest: str) -> bool:
    rest = rest.strip()
    return bool(rest) and not rest.startswith("#")


def _with_blank_lines(document: Document, step: Step, span: Span) -> Span:
    """Whole lines, and so many blank ones that the larger of the two gaps is left."""
    first, last = span.line, span.end_line
    before = after = 0
    while document.blank(first - before - 1):
        before += 1
    while document.blank(last + after + 1):
        after += 1
    end_of_file = last + after >= len(document.lines)
    opens = step.part == "def" and step.index == 0 and before == 0
    opens = opens and document.line(first - 1).rstrip().endswith(":")
    if end_of_file:
        first -= before
    elif opens or after <= before:
        last += after
    else:
        first -= before
    if last >= len(document.lines) and first > 1:  # the last line has no end of its own
        end = len(document.line(last)) + 1
        return Span(first - 1, len(document.line(first - 1)) + 1, last, end)
    return Span(first, 1, last + 1, 1)


def _remove_import(
    work: Workspace, document: Document, builder: Builder, gone: Span
) -> tuple[Edit, ...]:
    text = document.slice(builder.place.span)
    match = re.match(r"\w+", text)
    if match is None:
        return ()
    return unused_import(work, document, match.group(), gone)


def unused_import(
    work: Workspace, document: Document, local: str, gone: Span | None
) -> tuple[Edit, ...]:
    """The removal of `from m import local` at the top level, where nothing but `gone` reads it."""
    path = document.path
    if path.endswith("__init__.py") or local in (work.facts(path).exports or ()):
        return ()
    words = len(re.findall(rf"\b{local}\b", document.plain))
    if gone is not None:
        words -= len(re.findall(rf"\b{local}\b", document.slice(gone)))
    if words != 1 or _imported_from(work, path, local):
        return ()
    for statement in work.facts(path).body:
        if type(statement) is not s.Import:
            continue
        for alias in statement.aliases:
            if alias.local != local or alias.name != local:
                continue
            return _remove_alias(document, statement, alias)
    return ()


def _remove_alias(document: Document, statement: s.Import, alias: s.Alias) -> tuple[Edit, ...]:
    from aiter_lint.fix.series import Series

    span = statement.span
    rest = document.line(span.end_line)[span.end_column - 1 :]
    if not document.starts_line(span.line, span.column) or rest.strip():
        return ()
    if len(statement.aliases) == 1:
        if "#" in document.slice(span) or span.end_line >= len(document.lines):
            return ()
        return (document.replace(Span(span.line, 1, span.end_line + 1, 1), ""),)
    items = tuple(each.span for each in statement.aliases)
    if any(item == span for item in items):
        return ()
    inside = Span(items[0].line, items[0].column, span.end_line, span.end_column)
    if document.slice(span).endswith(")"):
        opening = document.slice(Span(span.line, span.column, items[0].line, items[0].column))
        at = opening.rindex("(")
        lines = opening[:at].count("\n")
        column = at - opening[:at].rfind("\n") if lines else span.column + at
        inside = Span(span.line + lines, column + 1, span.end_line, span.end_column - 1)
    edits, lost = Series(document, items, inside, 0).remove(statement.aliases.index(alias))
    return () if lost else edits


def _imported_from(work: Workspace, path: str, local: str) -> bool:
    """Whether another file imports the name from this one."""
    for other, facts in work.project.files.items():
        for alias in facts.imports:
            if alias.name in (local, "*") and other != path:
                source = (
                    work.modules.relative(other, alias.level, alias.module)
                    if alias.level
                    else work.modules.find(alias.module, other)
                )
                if source == path:
                    return True
    return False
