"""Paths are relative to where the user stands, with forward slashes."""

import json

import pytest
from report_samples import FLOAT_VALUE, report_of

from aiter_lint.report.report import FORMATS, render


@pytest.mark.parametrize(
    ("cwd", "path", "related"),
    [
        ("/project", "pkg/run.py", "pkg/k.py"),
        ("/project/pkg", "run.py", "k.py"),
        ("/project/tests", "../pkg/run.py", "../pkg/k.py"),
        ("/", "project/pkg/run.py", "project/pkg/k.py"),
    ],
)
def test_json_paths(cwd, path, related):
    (finding,) = json.loads("".join(render("json", report_of(FLOAT_VALUE, cwd=cwd))))
    assert finding["path"] == path
    assert [r["path"] for r in finding["related"]] == [path, related]
    assert finding["fix"]["edits"][0]["path"] == related


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_follows(name):
    text = "".join(render(name, report_of(FLOAT_VALUE, cwd="/project/tests")))
    assert "../pkg/run.py" in text
    assert "/project/" not in text
