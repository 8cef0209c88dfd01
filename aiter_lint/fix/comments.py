"""Ignore comments that silence nothing: their rules go, and the comment with the last one."""

from __future__ import annotations

from aiter_lint.finding import Applicability, Fix, RemoveIgnore
from aiter_lint.fix.document import Document, Unfixable
from aiter_lint.fix.series import Series
from aiter_lint.fix.workspace import Workspace
from aiter_lint.read.facts import Ignore
from aiter_lint.span import Span


def remove_ignore(work: Workspace, repair: RemoveIgnore) -> Fix:
    """Take rules out of an ignore comment."""
    path = repair.comment.path
    document = work.document(path)
    ignores = [i for i in work.facts(path).ignores if i.span == repair.comment.span]
    if not ignores:
        raise Unfixable("the comment is gone")
    ignore = ignores[0]
    going = [i for i, (name, _) in enumerate(ignore.rules) if name in repair.rules]
    if len(going) == len(ignore.rules) or not repair.rules:
        edit = document.replace(_whole(document, ignore), "")
        return Fix(Applicability.SAFE, "remove the ignore comment", (edit,))
    items = tuple(span for _, span in ignore.rules)
    kept = ", ".join(name for i, (name, _) in enumerate(ignore.rules) if i not in going)
    if len(going) == 1:
        inside = Span(items[0].line, items[0].column, items[-1].end_line, items[-1].end_column)
        edits, _ = Series(document, items, inside, 0).remove(going[0])
    else:
        span = Span(items[0].line, items[0].column, items[-1].end_line, items[-1].end_column)
        edits = (document.replace(span, kept),)
    names = ", ".join(repair.rules)
    return Fix(Applicability.SAFE, f"remove `{names}` from the ignore comment", edits)


def _whole(document: Document, ignore: Ignore) -> Span:
    """The comment, with its line where it stands alone, and the blank space before it where it
    ends a line. What another comment says on the same line stays."""
    span = ignore.span
    before = document.line(span.line)[: span.column - 1]
    if not before.strip():
        if span.line < len(document.lines):
            return Span(span.line, 1, span.line + 1, 1)
        if span.line > 1:
            end = len(document.line(span.line - 1)) + 1
            return Span(span.line - 1, end, span.end_line, span.end_column)
    return Span(span.line, len(before.rstrip()) + 1, span.end_line, span.end_column)
