"""full: source lines with marks, the change a fix would make, and a count at the end."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from ..check.result import UNCHECKED, FileResult
from ..files.kinds import MARKDOWN
from ..finding import Finding
from . import ReportOptions
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
        lines = result.lines()
        blocks += [_block(result, finding, lines, colour) for finding in result.findings]
    if not options.quiet:
        blocks.append(_footer(results, options, colour))
    return "\n".join(blocks)


def _arrow(colour: Colours) -> str:
    return colour("blue", " -->")


def _block(result: FileResult, finding: Finding, lines: list[str], colour: Colours) -> str:
    place = result.place(finding.span.start)
    fixable = f" [{colour('cyan', '*')}]" if finding.fix is not None else ""
    shown = [
        f"{colour('red', finding.code)}{fixable} {colour('bold', one_line(finding.message))}",
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


def _footer(results: Sequence[FileResult], options: ReportOptions, colour: Colours) -> str:
    findings = [finding for result in results for finding in result.findings]
    problems = sum(len(result.problems) for result in results)
    fixed = sum(result.fixed for result in results)
    lines = []
    if fixed:
        lines.append(f"Fixed {fixed} finding{'' if fixed == 1 else 's'}.")
    if findings:
        lines.append(f"Found {len(findings)} finding{'' if len(findings) == 1 else 's'}.")
    elif not problems:
        lines.append(colour("green", "All checks passed!"))
    if problems:
        lines.append(f"{problems} problem{'' if problems == 1 else 's'} kept files from a check.")
    safe = sum(finding.fix is not None and finding.fix.safe for finding in findings)
    unsafe = sum(finding.fix is not None and not finding.fix.safe for finding in findings)
    star = f"[{colour('cyan', '*')}]"
    if safe and not options.fixing:
        lines.append(f"{star} {safe} fixable with --fix.")
    if unsafe and not (options.fixing and options.unsafe):
        lines.append(f"{star} {unsafe} fixable with --fix --unsafe-fixes; review with --diff.")
    return "\n".join(lines) + "\n"
