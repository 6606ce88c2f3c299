"""rdjson: reviewdog's own format, with fixes as suggestions; its columns count UTF-8 bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..check.result import UNCHECKED, FileResult
from ..finding import Finding, Position, Related, Span
from . import ReportOptions


def render(results: Sequence[FileResult], options: ReportOptions) -> str:
    diagnostics: list[dict[str, Any]] = []
    for result in results:
        for problem in result.problems:
            place = problem.place
            at = {"line": result.file_line(place)}
            if place.cell is None:
                at["column"] = place.column
            diagnostics.append(
                {
                    "message": problem.message,
                    "severity": "ERROR",
                    "code": {"value": UNCHECKED},
                    "location": {"path": result.path, "range": {"start": at}},
                }
            )
        lines = result.lines()
        diagnostics += [_diagnostic(result, finding, lines) for finding in result.findings]
    source = {"name": "zerograd-lint"}
    document = {"source": source, "severity": "WARNING", "diagnostics": diagnostics}
    return json.dumps(document, indent=2) + "\n"


def _diagnostic(result: FileResult, finding: Finding, lines: list[str]) -> dict[str, Any]:
    place = result.place(finding.span.start)
    where = f"{place}: " if place.cell else ""
    diagnostic: dict[str, Any] = {
        "message": where + finding.message,
        "code": {"value": finding.code},
        "location": _location(result, finding.span, lines),
    }
    if finding.related:
        diagnostic["related_locations"] = [
            {"message": item.message, "location": _related_location(result, item, lines)}
            for item in finding.related
        ]
    # A suggestion replaces lines of the file, and a notebook's file is not its cells.
    if finding.fix is not None and place.cell is None:
        diagnostic["suggestions"] = [
            {"range": _range(edit.span, lines), "text": edit.replacement}
            for edit in finding.fix.edits
        ]
    return diagnostic


def _related_location(result: FileResult, related: Related, lines: list[str]) -> dict[str, Any]:
    holding = result.holding(related)
    if holding is result:
        return _location(result, related.span, lines)
    # Columns count bytes, and the lines of the other file are not at hand.
    return {"path": holding.path, "range": {"start": {"line": related.span.start.line}}}


def _location(result: FileResult, span: Span, lines: list[str]) -> dict[str, Any]:
    if result.cells:
        start = {"line": result.file_line(result.place(span.start))}
        return {"path": result.path, "range": {"start": start}}
    return {"path": result.path, "range": _range(span, lines)}


def _range(span: Span, lines: list[str]) -> dict[str, Any]:
    return {"start": _at(span.start, lines), "end": _at(span.end, lines)}


def _at(position: Position, lines: list[str]) -> dict[str, int]:
    line = lines[position.line - 1] if position.line <= len(lines) else ""
    before = line[: position.column - 1].encode("utf-8", "surrogatepass")
    return {"line": position.line, "column": len(before) + 1}
