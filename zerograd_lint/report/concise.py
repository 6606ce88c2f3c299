"""concise: one line per finding, for pipes, editors and grep."""

from __future__ import annotations

from collections.abc import Sequence

from ..check.result import UNCHECKED, FileResult, Problem
from ..finding import Finding
from . import ReportOptions, summary
from .colours import Colours
from .file_names import one_line


def render(results: Sequence[FileResult], options: ReportOptions) -> str:
    colour = Colours(options.color)
    lines = []
    for result in results:
        lines += [problem_line(result, problem) for problem in result.problems]
        if not options.fix_only:
            lines += [_finding_line(result, each, options, colour) for each in result.findings]
    lines += summary.lines(results, options, colour)
    return "".join(line + "\n" for line in lines)


def _finding_line(
    result: FileResult, finding: Finding, options: ReportOptions, colour: Colours
) -> str:
    """`path:line:column: CODE message`."""
    where = f"{colour('bold', one_line(result.path))}:{result.place(finding.span.start)}:"
    star = summary.star(finding, options, colour)
    return f"{where} {colour('red', finding.code)} {star}{one_line(finding.message)}"


def problem_line(result: FileResult, problem: Problem) -> str:
    """The same shape for a file that could not be checked."""
    return f"{one_line(result.path)}:{problem.place}: {UNCHECKED} {one_line(problem.message)}"
