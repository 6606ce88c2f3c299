"""Findings as plain dictionaries, with the key names ruff made common."""

from __future__ import annotations

from typing import Any

from ..check.result import UNCHECKED, FileResult, Problem
from ..finding import Finding, Position, Span


def of_result(result: FileResult) -> list[dict[str, Any]]:
    """The problems and findings of one file, in the order they are printed."""
    return [
        *(_problem(result, problem) for problem in result.problems),
        *(_finding(result, finding) for finding in result.findings),
    ]


def _finding(result: FileResult, finding: Finding) -> dict[str, Any]:
    fix = finding.fix
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "filename": result.path,
        "cell": result.place(finding.span.start).cell,
        **_span(result, finding.span),
        "related": [
            {
                "message": related.message,
                "filename": result.holding(related).path,
                "cell": result.holding(related).place(related.span.start).cell,
                **_span(result.holding(related), related.span),
            }
            for related in finding.related
        ],
        "fix": None
        if fix is None
        else {
            "message": fix.message,
            "applicability": "safe" if fix.safe else "unsafe",
            "edits": [
                {
                    "content": edit.replacement,
                    "cell": result.place(edit.span.start).cell,
                    **_span(result, edit.span),
                }
                for edit in fix.edits
            ],
        },
    }


def _problem(result: FileResult, problem: Problem) -> dict[str, Any]:
    place = problem.place
    location = {"row": place.line, "column": place.column}
    return {
        "code": UNCHECKED,
        "name": "could-not-be-checked",
        "message": problem.message,
        "filename": result.path,
        "cell": place.cell,
        "location": location,
        "end_location": location,
        "related": [],
        "fix": None,
    }


def _span(result: FileResult, span: Span) -> dict[str, dict[str, int]]:
    return {"location": _at(result, span.start), "end_location": _at(result, span.end)}


def _at(result: FileResult, position: Position) -> dict[str, int]:
    place = result.place(position)
    return {"row": place.line, "column": place.column}
