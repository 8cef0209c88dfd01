"""SARIF 2.1.0: what code scanning services read, with the rules' pages and the fixes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from aiter_lint import __version__
from aiter_lint.finding import Applicability, Edit, Finding, Fix, Severity
from aiter_lint.report.fingerprint import fingerprints
from aiter_lint.report.record import dumps
from aiter_lint.report.report import Report
from aiter_lint.rules import reference, registry
from aiter_lint.rules.rule import Rule
from aiter_lint.span import Place, Span

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
# In a message, `[text](1)` is a link to a related location; code such as `k[(1,)](x)` is none.
_LINK = re.compile(r"\[[^\[\]]*\]\(")
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.ADVICE: "note"}


def render(report: Report) -> Iterator[str]:
    """One log with one run."""
    rules = registry.rules()
    index = {rule.code: number for number, rule in enumerate(rules)}
    run = {
        "tool": {
            "driver": {
                "name": "aiter-lint",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(rule) for rule in rules],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": report.complete}],
        "results": [
            _result(finding, fingerprint, index, report)
            for finding, fingerprint in fingerprints(report)
        ],
    }
    yield dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _rule(rule: Rule) -> dict[str, Any]:
    page = reference.page(rule)
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"enabled": rule.default, "level": _LEVELS[rule.severity]},
        "properties": {"tags": [rule.name], "problem.severity": _problem(rule.severity)},
    }


def _problem(severity: Severity) -> str:
    return "recommendation" if severity is Severity.ADVICE else severity.value


def _result(
    finding: Finding, fingerprint: str, index: dict[str, int], report: Report
) -> dict[str, Any]:
    location: dict[str, Any] = _location(finding.place, report)
    if finding.kernel:
        location["logicalLocations"] = [
            {"fullyQualifiedName": finding.kernel, "kind": "function"},
        ]
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "level": _LEVELS[finding.severity],
        "message": _message(finding.message),
        "locations": [location],
        "partialFingerprints": {"aiterLint/v1": fingerprint},
    }
    if finding.code in index:
        result["ruleIndex"] = index[finding.code]
    if finding.related:
        result["relatedLocations"] = [
            {
                "id": number,
                **_location(related.place, report),
                "message": _message(related.message),
            }
            for number, related in enumerate(finding.related, 1)
        ]
    if finding.fix is not None and finding.fix.applicability is not Applicability.DISPLAY:
        result["fixes"] = [_fix(finding.fix, report)]
    return result


def _fix(fix: Fix, report: Report) -> dict[str, Any]:
    files: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        files.setdefault(edit.path, []).append(edit)
    return {
        "description": {"text": fix.title},
        "artifactChanges": [
            {
                "artifactLocation": _artifact(path, report),
                "replacements": [
                    {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.content}}
                    for edit in edits
                ],
            }
            for path, edits in files.items()
        ],
        "properties": {"applicability": fix.applicability.value},
    }


def _location(place: Place, report: Report) -> dict[str, Any]:
    return {
        "physicalLocation": {
            "artifactLocation": _artifact(place.path, report),
            "region": _region(place.span),
        }
    }


def _artifact(path: str, report: Report) -> dict[str, Any]:
    # A file's name may hold bytes that are no UTF-8; percent encoding keeps them.
    return {"uri": quote(report.shown(path).encode("utf-8", "surrogateescape"))}


def _message(text: str) -> dict[str, str]:
    if _LINK.search(text):
        text = text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return {"text": text}


def _region(span: Span) -> dict[str, Any]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
