"""JUnit XML: the shape that Jenkins and GitLab read, tried with a reader of such files."""

import xml.etree.ElementTree as ElementTree

import junitparser
import pytest
from report_samples import ALL, FLOAT_VALUE, report_of

from aiter_lint.report.report import render

# Elements and attributes of the XSD that CI systems share; children in this order.
ALLOWED = {
    "testsuites": {"name", "time", "tests", "failures", "disabled", "errors", "skipped"},
    "testsuite": {"name", "tests", "failures", "errors", "time", "skipped", "package", "id"},
    "testcase": {"name", "assertions", "time", "classname", "status", "file", "line"},
    "failure": {"message", "type"},
    "skipped": {"message", "type"},
}
CHILDREN = {
    "testsuites": {"testsuite"},
    "testsuite": {"testcase"},
    "testcase": {"failure", "skipped"},
    "failure": set(),
    "skipped": set(),
}


def junit(*findings):
    return "".join(render("junit", report_of(*findings)))


@pytest.mark.parametrize("findings", [(), ALL, (FLOAT_VALUE,)])
def test_the_shape_is_that_of_the_schema(findings):
    root = ElementTree.fromstring(junit(*findings).encode())
    assert root.tag == "testsuites"
    for element in root.iter():
        assert set(element.attrib) <= ALLOWED[element.tag]
        assert {child.tag for child in element} <= CHILDREN[element.tag]
        if element.tag in ("testsuite", "testcase"):
            assert element.get("name")


def test_a_reader_sees_failures_and_skipped_advice():
    xml = junitparser.JUnitXml.fromstring(junit(*ALL).encode())
    assert (xml.tests, xml.failures, xml.errors, xml.skipped) == (5, 4, 0, 1)
    suites = list(xml)
    assert [suite.name for suite in suites] == ["pkg/k.py", "pkg/run.py"]
    for suite in suites:
        cases = list(suite)
        assert suite.tests == len(cases)
        assert suite.failures == sum(case.is_failure for case in cases)
        assert suite.skipped == sum(case.is_skipped for case in cases)


def test_a_clean_run_is_one_case_that_passes():
    (suite,) = junitparser.JUnitXml.fromstring(junit().encode())
    (case,) = suite
    assert case.is_passed
