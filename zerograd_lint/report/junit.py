"""junit: a test suite per file, a failed test case per finding."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from ..check.result import UNCHECKED, FileResult, Place
from . import ReportOptions
from .file_names import one_line

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(results: Sequence[FileResult], options: ReportOptions) -> str:
    failures = sum(len(result.findings) for result in results)
    errors = sum(len(result.problems) for result in results)
    suites = [suite for result in results if (suite := _suite(result))] or [_PASSED]
    tests = max(failures + errors, 1)
    counts = f'tests="{tests}" failures="{failures}" errors="{errors}"'
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<testsuites name="zerograd-lint" {counts}>\n{"".join(suites)}</testsuites>\n'
    )


_PASSED = (
    '  <testsuite name="zerograd-lint" tests="1" failures="0" errors="0">\n'
    '    <testcase name="no findings" classname="zerograd-lint"/>\n'
    "  </testsuite>\n"
)


def _suite(result: FileResult) -> str:
    cases = [
        _case(result, "error", UNCHECKED, problem.message, problem.place)
        for problem in result.problems
    ]
    cases += [
        _case(result, "failure", f.code, f.message, result.place(f.span.start))
        for f in result.findings
    ]
    if not cases:
        return ""
    counts = (
        f'tests="{len(cases)}" failures="{len(result.findings)}" errors="{len(result.problems)}"'
    )
    return (
        f"  <testsuite name={_attribute(result.path)} {counts}>\n{''.join(cases)}  </testsuite>\n"
    )


def _case(result: FileResult, kind: str, code: str, message: str, place: Place) -> str:
    path = one_line(result.path)
    return (
        f"    <testcase name={_attribute(f'{code} at {place}')} classname={_attribute(path)} "
        f'file={_attribute(path)} line="{place.line}">\n'
        f"      <{kind} type={_attribute(code)} message={_attribute(message)}>"
        f"{escape(_clean(f'{path}:{place}: {code} {message}'))}</{kind}>\n"
        "    </testcase>\n"
    )


def _attribute(text: str) -> str:
    return quoteattr(_clean(one_line(text)))


def _clean(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
