"""File names and source lines that mean harm: no format lets them act on what reads it."""

import json
import xml.etree.ElementTree as ElementTree

import msgspec
import pytest
from report_samples import UNKNOWN_KEY, report_of

from aiter_lint.finding import Related
from aiter_lint.report.plain import plain
from aiter_lint.report.report import FORMATS, render
from aiter_lint.span import Place, Span

PATHS = [
    pytest.param("pkg/\x1b[2Jgone.py", id="clears-the-terminal"),
    pytest.param("pkg/a\n::error::owned.py", id="begins-a-workflow-command"),
    pytest.param("pkg/a\r\n.py", id="carriage-return"),
    pytest.param("pkg/\u202eyp.evil", id="right-to-left"),
    pytest.param("pkg/\x9b31m.py", id="one-byte-escape"),
    pytest.param('pkg/<a href="x">&.py', id="markup"),
    pytest.param("pkg/a,line=1::b.py", id="workflow-properties"),
    pytest.param("pkg/\udcff\udcfe.py", id="no-utf8"),
]
BODY = 'x = "\x1b]0;title\x07\x9b5m\u2028\u202e" + BLCK\n'
TEXTS = ["full", "concise", "github", "junit"]


def report_on(path, message="key \x1b[31m`BLCK`\n::error::no parameter"):
    at = BODY.index("BLCK")
    place = Place(path, Span(1, at + 1, 1, at + 5))
    finding = msgspec.structs.replace(
        UNKNOWN_KEY,
        place=place,
        message=message,
        related=(Related(place, "here\x07"),),
        fix=None,
    )
    return report_of(finding, files={path: BODY})


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", TEXTS)
def test_what_people_read_holds_no_character_that_acts(name, path):
    text = "".join(render(name, report_on(path)))
    assert not {c for c in text if not c.isprintable()} - {"\n"}
    text.encode("utf-8")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", FORMATS)
def test_every_format_can_be_encoded(name, path):
    assert "".join(render(name, report_on(path))).encode("utf-8")


@pytest.mark.parametrize("path", PATHS)
def test_github_gets_one_command_a_finding(path):
    text = "".join(render("github", report_on(path)))
    assert text.count("\n") == 1
    assert text.startswith("::error title=AIT201 unknown-key,file=")
    properties, data = text.removeprefix("::error ").split("::", 1)
    assert [p.split("=")[0] for p in properties.split(",")] == [
        "title",
        "file",
        "line",
        "endLine",
        "col",
        "endColumn",
    ]
    assert "%0A" in data  # the related place is on a line of its own


@pytest.mark.parametrize("path", PATHS)
def test_json_gives_back_every_name_that_json_can_hold(path):
    (finding,) = json.loads("".join(render("json", report_on(path))))
    assert finding["path"] == path.encode("utf-8", "backslashreplace").decode()


@pytest.mark.parametrize("path", PATHS)
def test_junit_is_well_formed(path):
    root = ElementTree.fromstring("".join(render("junit", report_on(path))).encode())
    assert root.find("testsuite").get("name") == plain(path)


def test_percent_signs_survive_the_way_through_github():
    text = "".join(render("github", report_on("a.py", message="100% of %0A")))
    assert "100%25 of %250A" in text


def test_sarif_names_undecodable_files_by_their_bytes():
    log = json.loads("".join(render("sarif", report_on("pkg/a b\udcff.py"))))
    location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert location["artifactLocation"]["uri"] == "pkg/a%20b%FF.py"
