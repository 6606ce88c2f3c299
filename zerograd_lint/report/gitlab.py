"""gitlab: a Code Quality report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..check.result import UNCHECKED, FileResult, Place
from . import ReportOptions, fingerprints
from .file_names import from_here, one_line


def render(results: Sequence[FileResult], options: ReportOptions) -> str:
    entries = []
    for result in results:
        problems = zip(result.problems, fingerprints.of_problems(result), strict=True)
        for problem, print_ in problems:
            entries.append(_entry(result, UNCHECKED, problem.message, print_, problem.place))
        for finding, print_ in zip(result.findings, fingerprints.of(result), strict=True):
            place = result.place(finding.span.start)
            entries.append(_entry(result, finding.code, finding.message, print_, place))
    return json.dumps(entries, indent=2) + "\n"


def _entry(
    result: FileResult, code: str, message: str, fingerprint: str, place: Place
) -> dict[str, Any]:
    where = f"{place}: " if place.cell else ""
    return {
        "check_name": code,
        "description": f"{code} {where}{message}",
        "severity": "blocker" if code == UNCHECKED else "major",
        "fingerprint": fingerprint,
        "location": {
            "path": one_line(from_here(result.path)),
            "lines": {"begin": result.file_line(place)},
        },
    }
