"""Items between brackets - arguments, keys: putting one in, taking one out.

What the author wrote stays: one item a line or all on one, with or without a trailing comma. A
line that a formatter broke because it was too long is joined when it fits again."""

from __future__ import annotations

from dataclasses import dataclass

from aiter_lint.finding import Edit
from aiter_lint.fix.document import Document
from aiter_lint.span import Span


@dataclass(frozen=True, slots=True)
class Series:
    """The items of a display or a call. `inside` is what stands between the brackets. A `pair` is
    a tuple, which needs a comma where it has one item."""

    document: Document
    items: tuple[Span, ...]
    inside: Span
    limit: int
    pair: bool = False

    # --- putting in

    def insert(self, index: int, text: str) -> tuple[Edit, ...]:
        """Put an item before the one of that index, or after the last."""
        document, items = self.document, self.items
        if not items:
            return (self._only(text),)
        reference = items[min(index, len(items) - 1)]
        if self._on_own_line(reference):
            return (self._insert_line(index, text),)
        if index < len(items):
            edit = document.insert(reference.line, reference.column, f"{text}, ")
        else:
            edit = document.insert(reference.end_line, reference.end_column, f", {text}")
        end = reference.line if index < len(items) else reference.end_line
        if len(document.line(end)) + len(edit.content) > self.limit:
            exploded = self._exploded(index, text)
            if exploded is not None:
                return (exploded,)
        return (edit,)

    def _only(self, text: str) -> Edit:
        document, inside = self.document, self.inside
        indent = document.indent(inside.line)
        if "#" in document.slice(inside):
            return document.insert(inside.line, inside.column, f"\n{indent}{document.unit}{text},")
        if inside.line == inside.end_line:
            if len(document.line(inside.line)) + len(text) > self.limit:
                text = f"\n{indent}{document.unit}{text},\n{indent}"
        return document.replace(inside, text)

    def _insert_line(self, index: int, text: str) -> Edit:
        document, items = self.document, self.items
        if index == 0:
            indent = document.indent(items[0].line)
            return document.insert(items[0].line, 1, f"{indent}{text},\n")
        before = items[index - 1]
        indent = document.indent(before.line)
        rest = document.line(before.end_line)[before.end_column - 1 :]
        if rest.lstrip().startswith(","):
            return document.insert(before.end_line + 1, 1, f"{indent}{text},\n")
        if before.end_line == self.inside.end_line:  # the bracket closes on this line
            return document.insert(before.end_line, before.end_column, f",\n{indent}{text}")
        end = before.end_column + len(rest)
        span = Span(before.end_line, before.end_column, before.end_line, end)
        return document.replace(span, f",{rest}\n{indent}{text},")

    def _exploded(self, index: int, text: str) -> Edit | None:
        """One item a line, where all stood on one."""
        document, inside = self.document, self.inside
        if inside.line != inside.end_line or "#" in document.slice(inside):
            return None
        texts = [document.slice(item) for item in self.items]
        texts.insert(index, text)
        indent = document.indent(inside.line)
        inner = indent + document.unit
        return document.replace(inside, "".join(f"\n{inner}{t}," for t in texts) + f"\n{indent}")

    # --- taking out

    def remove(self, index: int) -> tuple[tuple[Edit, ...], bool]:
        """Take an item out. The flag says that a comment gets lost by it."""
        document, items = self.document, self.items
        item = items[index]
        if len(items) == 1:
            between = document.slice(self.inside)
            if "#" not in between.replace(document.slice(item), "", 1):
                return self._joined(self.inside, "")
        if self._on_own_line(item):
            rest = document.line(item.end_line)[item.end_column - 1 :]
            if rest.lstrip(" \t,").startswith("#") or not rest.strip(" \t,"):
                span = Span(item.line, 1, item.end_line + 1, 1)
                content = self._comma_for_pair(index)
                edits = (document.replace(span, ""), *content)
                return edits, "#" in rest
        if index + 1 < len(items):
            following = items[index + 1]
            before = items[index - 1] if index else None
            if following.line == item.end_line or before is None or before.end_line != item.line:
                span = Span(item.line, item.column, following.line, following.column)
            else:  # the last of its line
                span = Span(before.end_line, before.end_column, item.end_line, item.end_column)
        elif index:
            before = items[index - 1]
            span = Span(before.end_line, before.end_column, item.end_line, item.end_column)
        else:
            span = item
        lost = "#" in document.slice(span).replace(document.slice(item), "", 1)
        content = ""
        if self.pair and len(items) == 2:
            if index == 1 and not document.slice(self._after(1)).lstrip().startswith(","):
                content = ","
            elif index == 0 and not document.slice(self._after(1)).lstrip().startswith(","):
                last = items[1]
                span = Span(span.line, span.column, last.end_line, last.end_column)
                content = document.slice(last) + ","
        edits, _ = self._joined(span, content)
        return edits, lost

    def _comma_for_pair(self, index: int) -> tuple[Edit, ...]:
        if not self.pair or len(self.items) != 2:
            return ()
        other = self.items[1 - index]
        if index == 0 and not self.document.slice(self._after(1)).lstrip().startswith(","):
            return (self.document.insert(other.end_line, other.end_column, ","),)
        return ()

    def _after(self, index: int) -> Span:
        """From the end of an item to the closing bracket."""
        item, inside = self.items[index], self.inside
        return Span(item.end_line, item.end_column, inside.end_line, inside.end_column)

    def _joined(self, span: Span, content: str) -> tuple[tuple[Edit, ...], bool]:
        """The edit - or, where it makes a line that was broken in three fit on one, that."""
        document = self.document
        first, last = span.line, span.end_line
        head = document.line(first)[: span.column - 1]
        old = document.slice(Span(first, 1, last, len(document.line(last)) + 1)).strip()
        new = (head + content + document.line(last)[span.end_column - 1 :]).strip()
        joined = None
        broken = False
        while first > 1 and "\n" not in old + new and "#" not in old and not new.endswith(","):
            before, after = document.line(first - 1).rstrip(), document.line(last + 1).strip()
            if not before.endswith(("(", "[")) or not after.startswith((")", "]")):
                break
            if not broken:  # the whole line: fixes of one broken line go one by one, and join it
                broken = True
                whole = Span(first, 1, last, len(document.line(last)) + 1)
                joined = document.replace(whole, document.indent(first) + new)
            first, last = first - 1, last + 1
            old, new = before.lstrip() + old + after, before.lstrip() + new + after
            indent = document.indent(first)
            if len(indent) + len(new) > self.limit or len(indent) + len(old) <= self.limit:
                break
            joined = document.replace(
                Span(first, 1, last, len(document.line(last)) + 1), indent + new
            )
        return (joined or document.replace(span, content),), False

    def _on_own_line(self, item: Span) -> bool:
        return item.line > self.inside.line and self.document.starts_line(item.line, item.column)
