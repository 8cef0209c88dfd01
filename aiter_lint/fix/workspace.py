"""What the repairs of one round share: the project, the files that are edited, names given away."""

from __future__ import annotations

import functools
import re
from typing import Protocol

from aiter_lint.fix.document import Document, Unfixable
from aiter_lint.fix.outline import Body, Step, steps_to
from aiter_lint.fix.style import line_length
from aiter_lint.link.modules import Modules
from aiter_lint.link.project import Builder, Kernel, Project
from aiter_lint.read.facts import FileFacts
from aiter_lint.read.reader import bodies_of
from aiter_lint.settings import Settings
from aiter_lint.span import Place, Span


class Files(Protocol):
    """Where the bytes of a file come from."""

    root: str

    def data(self, path: str) -> bytes:
        """The bytes of a file of the project; OSError where it can't be read."""


class Workspace:
    """One round of planning."""

    def __init__(self, project: Project, files: Files, settings: Settings) -> None:
        self.project = project
        self.files = files
        self.settings = settings
        self.given: dict[tuple[str, str], list[Kernel]] = {}  # (path, variable) -> stubs for
        self._documents: dict[str, Document | Unfixable] = {}
        self._bodies: dict[tuple[str, int], Body] = {}

    @functools.cached_property
    def modules(self) -> Modules:
        """The module table."""
        return Modules(self.project.files, self.settings.source_roots)

    @functools.cached_property
    def _kernels(self) -> dict[str, Kernel]:
        return {f"{k.path}:{k.qualname}:{k.place.span.line}": k for k in self.project.kernels}

    @functools.cached_property
    def _builders(self) -> dict[Place, Builder]:
        return {builder.place: builder for builder in self.project.builders}

    def kernel(self, identity: str) -> Kernel:
        """The kernel that a repair names."""
        kernel = self._kernels.get(identity)
        if kernel is None:
            raise Unfixable("the kernel is gone")
        return kernel

    def builder(self, place: Place) -> Builder:
        """The builder call that a repair names."""
        builder = self._builders.get(place)
        if builder is None:
            raise Unfixable("the repr's builder is gone")
        return builder

    def document(self, path: str) -> Document:
        """A file for editing; `Unfixable` where it can't be."""
        known = self._documents.get(path)
        if known is None:
            try:
                known = Document(path, self.files.data(path))
            except Unfixable as error:
                known = error
            except OSError as error:
                known = Unfixable(f"{path} can't be read: {error.strerror or error}")
            self._documents[path] = known
        if isinstance(known, Unfixable):
            raise known
        return known

    def facts(self, path: str) -> FileFacts:
        """What is known of a file."""
        return self.project.files[path]

    def limit(self, path: str) -> int:
        """How long a line of the file may be."""
        return line_length(self.files.root, path)

    def steps(self, path: str, span: Span) -> list[Step]:
        """The blocks that lead to a span."""
        return steps_to(self.facts(path), span, lambda index: self._body(path, index))

    def _body(self, path: str, index: int) -> Body:
        key = (path, index)
        if key not in self._bodies:
            facts = self.facts(path)
            body = facts.functions[index].body
            if body is None:
                body = bodies_of(self.document(path).data, facts, [index])[index]
            self._bodies[key] = body
        return self._bodies[key]

    def looked_up(self, name: str) -> bool:
        """Whether some string of the project, other than a repr's base name or an entry of
        `__all__`, is this name: then something may find the kernel by it."""
        if name not in self.project.strings:
            return False
        quoted = re.compile(rf"""(?<![\w"'])["']{re.escape(name)}["'](?![\w"'])""")
        for path, facts in self.project.files.items():
            if name in facts.strings:
                try:
                    count = len(quoted.findall(self.document(path).plain))
                except Unfixable:
                    return True
                bases = [b for b in self.project.builders if b.base == name]
                count -= sum(b.base_place is not None and b.base_place.path == path for b in bases)
                if count - (facts.exports or ()).count(name) > 0:
                    return True
        return False
