"""Keys taken out of a list, and put into one."""

from __future__ import annotations

import re

from aiter_lint.finding import AddKey, Applicability, Edit, Fix, RemoveKey
from aiter_lint.fix.builders import remove_repr
from aiter_lint.fix.document import Document, Unfixable
from aiter_lint.fix.series import Series
from aiter_lint.fix.slices import Slice
from aiter_lint.fix.stub import build
from aiter_lint.fix.workspace import Workspace
from aiter_lint.link.project import Builder, Kernel
from aiter_lint.read import syntax as s
from aiter_lint.span import Place, Span


def remove_key(work: Workspace, repair: RemoveKey) -> Fix:
    """Take a key out. With the last one the repr goes too, where it can say nothing any more."""
    builder = work.builder(repair.builder)
    if _says_nothing_more(builder, repair.literal):
        try:
            return remove_repr(work, builder.used_by)
        except Unfixable:
            pass
    document = work.document(repair.literal.path)
    series, owner = _list_of(work, document, builder, repair.literal)
    index = next(i for i, s in enumerate(series.items) if s.contains(repair.literal.span))
    edits, lost = series.remove(index)
    applicability = Applicability.UNSAFE if repair.unsafe or lost else Applicability.SAFE
    if owner is not None and not _only_for_reprs(work, document, owner):
        applicability = Applicability.DISPLAY
    return Fix(applicability, f"remove the key `{repair.key}`", edits)


def _says_nothing_more(builder: Builder, literal: Place) -> bool:
    """Whether this is the last key, of a repr without which the trace says the same."""
    if builder.keys is None or not builder.complete or builder.name_key is not None:
        return False
    if any(key.literal != literal for key in builder.keys) or builder.other_uses:
        return False
    return bool(builder.used_by) and all(
        not kernel.constexprs and kernel.name == builder.base for kernel in builder.used_by
    )


def add_key(work: Workspace, kernel: Kernel, repair: AddKey) -> Fix:
    """Put a key in at its place in signature order."""
    builder = work.builder(repair.builder)
    if builder.keys is None or not builder.complete:
        raise Unfixable("not all of the list of keys is known")
    if any(user is not kernel and user not in kernel.alternatives for user in builder.used_by):
        raise Unfixable("another kernel shares the list of keys")
    if builder.other_uses:
        raise Unfixable("the repr is used elsewhere too")
    document = work.document(builder.place.path)
    call = Slice(document, builder.place.span)
    series = _display_in(document, call, work.limit(document.path))
    if series is None or len(series.items) != len(builder.keys):
        raise Unfixable("the list of keys is not written in the call")
    order = [parameter.name for parameter in kernel.params]
    names = [key.name for key in builder.keys]
    index = next(
        (i for i, n in enumerate(names) if n in order and order.index(n) > order.index(repair.key)),
        len(names),
    )
    names.insert(index, repair.key)
    edits = series.insert(index, f'"{repair.key}"')
    if _too_long(document, edits, series.limit):
        edits = _rewritten(document, builder, tuple(names), series.limit) or edits
    risk = work.looked_up(kernel.name)
    applicability = Applicability.UNSAFE if risk else Applicability.SAFE
    return Fix(applicability, f"add the key `{repair.key}`", edits)


# --- the list ------------------------------------------------------------------------------


def _list_of(
    work: Workspace, document: Document, builder: Builder, literal: Place
) -> tuple[Series, str | None]:
    """The display that holds a key, and the name that it is bound to where it stands outside of
    the builder's call."""
    limit = work.limit(document.path)
    if builder.place.path == literal.path and builder.place.span.contains(literal.span):
        call = Slice(document, builder.place.span)
        series = _display_in(document, call, limit, literal.span)
        if series is not None:
            return series, None
        raise Unfixable("the key stands in no list of its own")
    steps = work.steps(literal.path, literal.span)
    statement = steps[-1].statement if steps else None
    if type(statement) is s.Assign and len(statement.targets) == 1:
        target = statement.targets[0]
        if type(target) is s.Name:
            piece = Slice(document, statement.value.span)
            series = _display_in(document, piece, limit, literal.span)
            if series is not None:
                return series, target.id
    raise Unfixable("the key stands in no list of its own")


def _display_in(
    document: Document, piece: Slice, limit: int, item: Span | None = None
) -> Series | None:
    """The list or tuple in an expression that has `item` as an element; without one, the list of
    strings that a builder's call has as second or `config_keys` argument."""
    import libcst as cst

    found: list[cst.List | cst.Tuple] = []
    if item is None:
        if isinstance(piece.expression, cst.Call):
            for position, argument in enumerate(piece.expression.args):
                named = argument.keyword.value if argument.keyword is not None else None
                if isinstance(argument.value, (cst.List, cst.Tuple)):
                    if (position == 1 and named is None) or named is not None:
                        found.append(argument.value)
    else:
        pending: list[cst.CSTNode] = [piece.expression]
        while pending:
            node = pending.pop()
            pending += node.children
            if isinstance(node, (cst.List, cst.Tuple)):
                if any(piece.span(element.value) == item for element in node.elements):
                    found.append(node)
    if len(found) != 1:
        return None
    node = found[0]
    values = [element.value for element in node.elements]
    if item is None and not all(isinstance(value, cst.SimpleString) for value in values):
        return None
    inside = piece.inside(node)
    if inside is None:
        return None
    items = tuple(piece.span(element) for element in node.elements)
    return Series(document, items, inside, limit, pair=isinstance(node, cst.Tuple))


def _only_for_reprs(work: Workspace, document: Document, name: str) -> bool:
    """Whether a name that holds keys is read by builders only."""
    path = document.path
    if name in (work.facts(path).exports or ()):
        return False
    words = len(re.findall(rf"\b{name}\b", document.plain))
    inside = 1  # the assignment
    for builder in work.project.builders:
        if builder.place.path == path:
            inside += len(re.findall(rf"\b{name}\b", document.slice(builder.place.span)))
    if words != inside:
        return False
    return not any(
        alias.name in (name, "*") and other != path and _may_mean(work, other, alias, path)
        for other, facts in work.project.files.items()
        for alias in facts.imports
    )


def _may_mean(work: Workspace, importer: str, alias: s.Alias, path: str) -> bool:
    if alias.level:
        return work.modules.relative(importer, alias.level, alias.module) == path
    return work.modules.find(alias.module, importer) == path


# --- a call that gets too long -------------------------------------------------------------


def _too_long(document: Document, edits: tuple[Edit, ...], limit: int) -> bool:
    for edit in edits:
        rows = edit.content.split("\n")
        rows[0] = document.line(edit.span.line)[: edit.span.column - 1] + rows[0]
        rows[-1] += document.line(edit.span.end_line)[edit.span.end_column - 1 :]
        if any(len(row) > limit for row in rows) or len(rows) > 2:
            return True
    return False


def _rewritten(
    document: Document, builder: Builder, names: tuple[str, ...], limit: int
) -> tuple[Edit, ...]:
    """The whole statement again, where it is `name = builder("base", [keys])` and no more."""
    if builder.statement is None or builder.base is None or builder.variable is None:
        return ()
    span = builder.statement.span
    text = document.slice(span)
    shape = re.compile(
        rf'(\w+ = [\w.]+)\(\s*"{re.escape(builder.base)}",\s*\[[\w",\s]*\],?\s*\)', re.ASCII
    )
    match = shape.fullmatch(text)
    if match is None:
        return ()
    indent = document.indent(span.line)
    fresh = build(match[1], builder.base, names, indent, document.unit, limit)
    return (document.replace(span, fresh[len(indent) :].rstrip("\n")),)
