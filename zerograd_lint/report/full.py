"""full: source lines with marks, the change a fix would make, and a count at the end."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from ..check.result import UNCHECKED, FileResult
from ..files.kinds import MARKDOWN
from ..finding import Finding
from . import ReportOptions, summary
from .colours import Colours
from .file_names import one_line
from .snippet import Mark, snippet


def render(results: Sequence[FileResult], options: ReportOptions) -> str:
    colour = Colours(options.color)
    blocks: list[str] = []
    for result in results:
        for problem in result.problems:
            head = f"{colour('red', UNCHECKED)} {one_line(problem.message)}"
            blocks.append(f"{head}\n{_arrow(colour)} {one_line(result.path)}:{problem.place}\n")
        if not options.fix_only:
            blocks += [_block(result, finding, options) for finding in result.findings]
    if footer := summary.lines(results, options, colour):
        blocks.append("".join(line + "\n" for line in footer))
    return "\n".join(blocks)


def _arrow(colour: Colours) -> str:
    return colour("blue", " -->")


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
        if related.span.start.line in bounds:
            marks.append(Mark(related.span, one_line(related.message), False))
        else:
            elsewhere.append(f"{result.place(related.span.start)}: {one_line(related.message)}")
    shown += snippet(lines, marks, offset, bounds, colour)
    shown += [f"{colour('blue', 'note')}: {text}" for text in elsewhere]
    if finding.fix is not None:
        title = "fix" if finding.fix.safe else "unsafe fix"
        shown.append(f"{colour('green', title)}: {one_line(finding.fix.message)}")
        if result.kind != MARKDOWN:  # whose text is no Python, so that the message must do
            shown += _change(finding, lines, colour)
    shown.append(f"{colour('cyan', 'help')}: zerograd-lint rule {finding.code}")
    return "\n".join(shown) + "\n"


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


def _change(finding: Finding, lines: list[str], colour: Colours) -> list[str]:
    """The change the fix would make, as a diff without its header."""
    from ..fixing.apply import apply

    changed = apply("\n".join(lines), [finding], unsafe=True).text
    shown: list[str] = []
    for line in list(difflib.unified_diff(lines, changed.split("\n"), n=1, lineterm=""))[2:]:
        color = {"+": "green", "-": "red", "@": "blue"}.get(line[0])
        if not line.startswith("@"):
            shown.append("  " + (colour(color, one_line(line)) if color else one_line(line)))
        elif shown:
            shown.append(colour("blue", "  ..."))
    return shown
