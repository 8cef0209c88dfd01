"""The one finding type, and what a fix is made of."""

from __future__ import annotations

import enum
from typing import Union

import msgspec

from aiter_lint.span import Place, Span


class Severity(str, enum.Enum):
    """How bad a finding is."""

    ADVICE = "advice"
    WARNING = "warning"
    ERROR = "error"

    @property
    def rank(self) -> int:
        """0 for advice, 1 for a warning, 2 for an error."""
        return ("advice", "warning", "error").index(self.value)


class Related(msgspec.Struct, frozen=True):
    """Another place that belongs to a finding, and what it says there."""

    place: Place
    message: str


class Edit(msgspec.Struct, frozen=True):
    """Replace `span` of the file `path` by `content`; an empty span inserts."""

    path: str
    span: Span
    content: str


class Applicability(str, enum.Enum):
    """How far a fix may go by itself."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display"


class Fix(msgspec.Struct, frozen=True):
    """Edits that belong together: all of them are made, or none."""

    applicability: Applicability
    title: str
    edits: tuple[Edit, ...]


class Repair(msgspec.Struct, frozen=True, tag=True):
    """What a rule wants done about its finding, as data; the fix stage turns it into edits.

    `kernel` is `path:qualname:line` of the kernel's def."""


class InsertRepr(Repair, frozen=True):
    """Give the kernel a stub and attach it (missing-repr)."""

    kernel: str


class RemoveRepr(Repair, frozen=True):
    """Take `repr=` off the kernel's decorator, and its builder where nothing else uses it."""

    kernel: str


class UseRepr(Repair, frozen=True):
    """Attach the builder bound to `variable` of the kernel's module instead."""

    kernel: str
    variable: str


class RemoveBuilder(Repair, frozen=True):
    """Remove a builder call that is attached to nothing, with its assignment."""

    builder: Place


class RemoveKey(Repair, frozen=True):
    """Take the key (that very string, `literal`) out of the list of the builder at `builder`.
    `unsafe` where the trace loses something by it."""

    builder: Place
    literal: Place
    key: str
    unsafe: bool = False


class AddKey(Repair, frozen=True):
    """Add a constexpr parameter to the keys, at its place in signature order."""

    kernel: str
    builder: Place
    key: str


class RemoveIgnore(Repair, frozen=True):
    """Remove `rules` from an ignore comment, or all of it where none is left."""

    comment: Place
    rules: tuple[str, ...]


class Finding(msgspec.Struct, frozen=True):
    """What a rule reports. `place` is the line that a person would edit. `related` tells the
    rest of the story, in reading order: from the launch back to a value's origin. A rule says
    in `repair` what should be done; `fix` is filled in by the fix stage."""

    code: str
    rule: str
    severity: Severity
    message: str
    place: Place
    kernel: Union[str, None] = None  # qualified name
    key: Union[str, None] = None
    related: tuple[Related, ...] = ()
    repair: Union[Repair, None] = None
    fix: Union[Fix, None] = None
