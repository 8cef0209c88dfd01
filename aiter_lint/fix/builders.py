"""Reprs that are not used as they should be: taken off, exchanged, removed."""

from __future__ import annotations

import re

from aiter_lint.finding import Applicability, Edit, Fix
from aiter_lint.fix.attach import attach, detach
from aiter_lint.fix.document import Document, Unfixable
from aiter_lint.fix.outline import Step
from aiter_lint.fix.series import Series
from aiter_lint.fix.stub import attach_risk
from aiter_lint.fix.workspace import Workspace
from aiter_lint.link.project import Builder, Kernel, Project
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
        built = kernel.repr.builder
        if built is not None and kernel.repr.value.span.contains(built.place.span):
            name = builder_name(document, built)
            edits += unused_import(work.project, document, name, kernel.repr.place.span)
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
    _check_visible(work, kernel, variable)
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


def _check_visible(work: Workspace, kernel: Kernel, variable: str) -> None:
    """A builder in another branch has given the variable no value where the kernel is defined."""
    around = [step.body for step in work.steps(kernel.jit.path, kernel.jit.span)]
    for builder in work.project.builders:
        place = builder.statement
        if builder.variable == variable and place is not None and place.path == kernel.jit.path:
            steps = work.steps(place.path, place.span)
            if steps and not any(steps[-1].body is body for body in around):
                raise Unfixable(f"`{variable}` is built in another branch")


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
    name = builder_name(document, builder)
    return (edit, *unused_import(work.project, document, name, span)), lost


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


def builder_name(document: Document, builder: Builder) -> str:
    """The first name of a builder's call: `names` of `names.make_kernel_repr(...)`."""
    match = re.match(r"\w*", document.slice(builder.place.span))
    return match.group() if match else ""


def unused_import(
    project: Project, document: Document, local: str, gone: Span | None = None
) -> tuple[Edit, ...]:
    """The removal of `from m import local` at the top level, where nothing but `gone` reads it."""
    path = document.path
    facts = project.files[path]
    if not local or path.endswith("__init__.py") or local in (facts.exports or ()):
        return ()
    word = re.compile(rf"\b{local}\b")
    words = len(word.findall(document.plain))
    if gone is not None:
        words -= len(word.findall(document.slice(gone)))
    if words != 1 or _imported_from(project, path, local):
        return ()
    for statement in facts.body:
        if type(statement) is s.Import:
            for alias in statement.aliases:
                if alias.local == local == alias.name:
                    return _remove_alias(document, statement, alias)
    return ()


def _remove_alias(document: Document, statement: s.Import, alias: s.Alias) -> tuple[Edit, ...]:
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


def _imported_from(project: Project, path: str, local: str) -> bool:
    """Whether another file may import the name from this one, as far as module names tell."""
    stem = path.rsplit("/", 1)[-1].removesuffix(".py")
    return any(
        alias.name in (local, "*") and alias.module.rsplit(".", 1)[-1] == stem
        for other, facts in project.files.items()
        if other != path
        for alias in facts.imports
    )
