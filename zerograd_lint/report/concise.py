"""concise: one line per finding, for pipes, editors and grep."""

from __future__ import annotations

from collections.abc import Sequence

from ..check.result import UNCHECKED, FileResult, Problem
from ..finding import Finding
from . import ReportOptions
from .file_names import one_line


def render(results: Sequence[FileResult], options: ReportOptions) -> str:
    lines = []
    for result in results:
        lines += [problem_line(result, problem) for problem in result.problems]
        lines += [finding_line(result, finding) for finding in result.findings]
    return "".join(line + "\n" for line in lines)


def finding_line(result: FileResult, finding: Finding) -> str:
    """`path:line:column: CODE message`."""
    place = result.place(finding.span.start)
    return f"{one_line(result.path)}:{place}: {finding.code} {one_line(finding.message)}"


def problem_line(result: FileResult, problem: Problem) -> str:
    """The same shape for a file that could not be checked."""
    return f"{one_line(result.path)}:{problem.place}: {UNCHECKED} {one_line(problem.message)}"
