"""github: workflow commands that become annotations on a pull request."""

from __future__ import annotations

from collections.abc import Sequence

from ..check.result import UNCHECKED, FileResult, Place
from . import ReportOptions
from .file_names import one_line


def render(results: Sequence[FileResult], options: ReportOptions) -> str:
    lines = []
    for result in results:
        for problem in result.problems:
            place = problem.place
            where = {"line": place.line, "col": place.column}
            lines.append(_command(result, UNCHECKED, problem.message, place.cell, where))
        for finding in result.findings:
            start = result.place(finding.span.start)
            end = result.place(finding.span.end)
            where = {"line": start.line, "col": start.column, "endLine": end.line}
            if start.line == end.line:  # columns on different lines are refused
                where["endColumn"] = end.column
            lines.append(_command(result, finding.code, finding.message, start.cell, where))
    return "".join(line + "\n" for line in lines)


def _command(
    result: FileResult, code: str, message: str, cell: int | None, where: dict[str, int]
) -> str:
    if cell is not None:
        # The lines of a cell are not lines of the file, so the message says where it is.
        place = Place(cell, where["line"], where["col"])
        message = f"{place}: {message}"
        where = {"line": result.file_line(place)}
    properties = {"title": f"zerograd-lint {code}", "file": one_line(result.path), **where}
    listed = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::error {listed}::{_data(f'{code} {message}')}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
