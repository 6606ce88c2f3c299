"""full: source lines with marks, the change a fix would make, and a count at the end."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from ..check.result import UNCHECKED, FileResult, Problem
from ..files import unused_noqa
from ..files.ipython_cell import as_written
from ..files.kinds import DOCUMENTS
from ..files.notebook import is_marker
from ..finding import Finding, Position, Related, Span
from . import ReportOptions, summary
from .colours import Colours
from .file_names import one_line
from .snippet import Mark, snippet


def render(results: Sequence[FileResult], options: ReportOptions) -> str:
    colour = Colours(options.color)
    blocks: list[str] = []
    for result in results:
        for problem in result.problems:
            blocks.append(_problem(result, problem, colour))
        if not options.fix_only:
            blocks += [_block(result, finding, options) for finding in result.findings]
    if footer := summary.lines(results, options, colour):
        blocks.append("".join(line + "\n" for line in footer))
    return "\n".join(blocks)


def _arrow(colour: Colours) -> str:
    return colour("blue", " -->")


def _problem(result: FileResult, problem: Problem, colour: Colours) -> str:
    shown = [
        f"{colour('red', UNCHECKED)} {one_line(problem.message)}",
        f"{_arrow(colour)} {one_line(result.path)}:{problem.place}",
    ]
    lines = problem.source.split("\n")
    place = problem.place
    if problem.source and place.line <= len(lines):
        span = Span(Position(place.line, place.column), Position(place.line, place.column + 1))
        bounds = range(1, len(lines) + (lines[-1] != ""))
        shown += snippet(lines, [Mark(span, "", True)], 0, bounds, colour)
    return "\n".join(shown) + "\n"


def _block(result: FileResult, finding: Finding, options: ReportOptions) -> str:
    colour = Colours(options.color)
    lines = result.lines()
    place = result.place(finding.span.start)
    star = summary.star(finding, options, colour)
    shown = [
        f"{colour('red', finding.code)} {star}{colour('bold', one_line(finding.message))}",
        f"{_arrow(colour)} {one_line(result.path)}:{place}",
    ]
    offset, bounds = _cell_of(result, finding.line, len(lines) - (lines[-1] == ""))
    marks = [Mark(finding.span, "", True)]
    elsewhere = []
    for related in finding.related:
        if related.path is None and related.span.start.line in bounds:
            marks.append(Mark(related.span, one_line(related.message), False))
        else:
            elsewhere.append(_note(result, related))
    shown += snippet(lines, marks, offset, bounds, colour)
    shown += [f"{colour('blue', 'note')}: {text}" for text in elsewhere]
    if finding.fix is not None:
        title = "fix" if finding.fix.safe else "unsafe fix"
        shown.append(f"{colour('green', title)}: {one_line(finding.fix.message)}")
        if result.kind not in DOCUMENTS:  # whose text is no Python, so that the message must do
            shown += _change(result.text, finding, colour)
    if finding.code != unused_noqa.CODE:  # which is no rule about gradients, and has no page
        shown.append(f"{colour('cyan', 'help')}: zerograd-lint rule {finding.code}")
    return "\n".join(shown) + "\n"


def _note(result: FileResult, related: Related) -> str:
    """A related line that is not shown: in another cell, or in another file."""
    holding = result.holding(related)
    file = f"{one_line(holding.path)}:" if holding is not result else ""
    return f"{file}{holding.place(related.span.start)}: {one_line(related.message)}"


def _cell_of(result: FileResult, line: int, last: int) -> tuple[int, range]:
    """The line before the cell's (or file's) first one, and the lines it consists of."""
    begin, end = 0, last
    for _, before in result.cells:
        if before < line:
            begin = before
        else:
            end = before - 1
            break
    return begin, range(begin + 1, end + 1)


def _change(text: str, finding: Finding, colour: Colours) -> list[str]:
    """The change the fix would make, as a diff without its header."""
    from ..fixing.apply import apply

    changed = apply(text, [finding], unsafe=True).text
    difference = difflib.unified_diff(text.split("\n"), changed.split("\n"), n=1, lineterm="")
    shown: list[str] = []
    for line in list(difference)[2:]:
        sign, content = line[0], line[1:]
        color = {"+": "green", "-": "red"}.get(sign)
        if sign != "@" and not is_marker(content):
            written = one_line(sign + as_written(content))
            shown.append("  " + (colour(color, written) if color else written))
        elif sign == "@" and shown:
            shown.append(colour("blue", "  ..."))
    return shown
