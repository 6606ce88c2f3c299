"""sarif: SARIF 2.1.0 for code scanning, with rules' help, related places and fixes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .. import __version__
from ..check.result import UNCHECKED, FileResult, Problem
from ..files import unused_noqa
from ..finding import Edit, Finding, Span
from ..rules.registry import all_rules
from . import ReportOptions, fingerprints
from .file_names import uri

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(results: Sequence[FileResult], options: ReportOptions) -> str:
    found = sorted({finding.code for result in results for finding in result.findings})
    problems = [(result, problem) for result in results for problem in result.problems]
    invocation: dict[str, Any] = {"executionSuccessful": not problems}
    if problems:
        invocation["toolExecutionNotifications"] = [_notification(*pair) for pair in problems]
    run = {
        "tool": {
            "driver": {
                "name": "zerograd-lint",
                "informationUri": "https://pypi.org/project/zerograd-lint/",
                "version": __version__,
                "semanticVersion": __version__,
                "rules": [_rule(code) for code in found],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": [
            _result(result, finding, found.index(finding.code), print_)
            for result in results
            for finding, print_ in zip(result.findings, fingerprints.of(result), strict=True)
        ],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    if code == unused_noqa.CODE:
        said = "a '# noqa' comment silences nothing"
        return {"id": code, "name": "UnusedNoqa", "shortDescription": {"text": said}}
    rule = all_rules()[code]
    documentation = rule.documentation()
    return {
        "id": code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.summary},
        "help": {"text": documentation, "markdown": documentation},
        "defaultConfiguration": {"level": _level(code), "enabled": rule.on_by_default},
        "properties": {"tags": ["correctness", "pytorch"]},
    }


def _level(code: str) -> str:
    rule = all_rules().get(code)
    return "warning" if rule is not None and rule.on_by_default else "note"


def _result(result: FileResult, finding: Finding, index: int, print_: str) -> dict[str, Any]:
    place = result.place(finding.span.start)
    where = f"{place}: " if place.cell else ""
    entry: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": _level(finding.code),
        "message": {"text": where + finding.message},
        "locations": [_location(result, finding.span)],
        "partialFingerprints": {"zerogradLint/v1": print_},
    }
    if finding.related:
        entry["relatedLocations"] = [
            {
                "id": number,
                "message": {"text": item.message},
                **_location(result.holding(item), item.span),
            }
            for number, item in enumerate(finding.related)
        ]
    # SARIF describes the file's own lines, and those of a notebook are JSON.
    if finding.fix is not None and not result.cells:
        change = {
            "artifactLocation": {"uri": uri(result.path)},
            "replacements": [_replacement(edit) for edit in finding.fix.edits],
        }
        entry["fixes"] = [
            {"description": {"text": finding.fix.message}, "artifactChanges": [change]}
        ]
    return entry


def _replacement(edit: Edit) -> dict[str, Any]:
    return {
        "deletedRegion": _region(edit.span),
        "insertedContent": {"text": edit.replacement},
    }


def _location(result: FileResult, span: Span) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": uri(result.path)}}
    place = result.place(span.start)
    physical["region"] = {"startLine": result.file_line(place)} if result.cells else _region(span)
    return {"physicalLocation": physical}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.start.line,
        "startColumn": span.start.column,
        "endLine": span.end.line,
        "endColumn": span.end.column,
    }


def _notification(result: FileResult, problem: Problem) -> dict[str, Any]:
    region = {"startLine": problem.place.line, "startColumn": problem.place.column}
    if problem.place.cell:
        region = {"startLine": result.file_line(problem.place)}
    location = {"artifactLocation": {"uri": uri(result.path)}, "region": region}
    return {
        "level": "error",
        "message": {"text": f"{UNCHECKED} {problem.message}"},
        "locations": [{"physicalLocation": location}],
    }
