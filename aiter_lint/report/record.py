"""A finding as the JSON formats write it: field by field what the documentation promises."""

from __future__ import annotations

from typing import Union

import msgspec

from aiter_lint.finding import Edit, Finding, Fix, Related
from aiter_lint.report.report import Report


class RelatedRecord(msgspec.Struct, frozen=True):
    """Another place."""

    path: str
    line: int
    column: int
    message: str


class EditRecord(msgspec.Struct, frozen=True):
    """One replacement."""

    path: str
    start_line: int
    start_column: int
    end_line: int
    end_column: int
    content: str


class FixRecord(msgspec.Struct, frozen=True):
    """Replacements that belong together."""

    applicability: str
    title: str
    edits: list[EditRecord]


class FindingRecord(msgspec.Struct, frozen=True):
    """One finding."""

    code: str
    rule: str
    severity: str
    message: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    kernel: Union[str, None]
    key: Union[str, None]
    related: list[RelatedRecord]
    fix: Union[FixRecord, None]


def record(finding: Finding, report: Report) -> FindingRecord:
    """The finding with paths as people read them."""
    span = finding.place.span
    return FindingRecord(
        code=finding.code,
        rule=finding.rule,
        severity=finding.severity.value,
        message=finding.message,
        path=report.shown(finding.place.path),
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        kernel=finding.kernel,
        key=finding.key,
        related=[_related(related, report) for related in finding.related],
        fix=_fix(finding.fix, report) if finding.fix else None,
    )


def dumps(value: object) -> str:
    """The value as one line of JSON. Undecoded bytes of a file's name, which no JSON text can
    hold, become escapes that people can read (`\\udcff`)."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError:
        return msgspec.json.encode(_encodable(msgspec.to_builtins(value))).decode()


def _related(related: Related, report: Report) -> RelatedRecord:
    span = related.place.span
    return RelatedRecord(report.shown(related.place.path), span.line, span.column, related.message)


def _fix(fix: Fix, report: Report) -> FixRecord:
    return FixRecord(fix.applicability.value, fix.title, [_edit(e, report) for e in fix.edits])


def _edit(edit: Edit, report: Report) -> EditRecord:
    span = edit.span
    return EditRecord(
        path=report.shown(edit.path),
        start_line=span.line,
        start_column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        content=edit.content,
    )


def _encodable(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    return value
