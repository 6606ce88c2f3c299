"""The lines a finding is about, with carets under what they mark."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from ..finding import Span
from .colours import Colours
from .file_names import one_line

_WIDEST = 140
_CONTEXT = 1
_GAP = 3
"""Skipped lines are shown anyway when there are no more than this many."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A place to underline in the shown lines, and what to write beside it."""

    span: Span
    label: str
    main: bool


def snippet(
    lines: Sequence[str], marks: Sequence[Mark], offset: int, bounds: range, colour: Colours
) -> list[str]:
    """The lines around some marks, numbered less `offset`, and none outside `bounds`."""
    shown = _chosen(marks, bounds)
    width = len(str(shown[-1] - offset)) if shown else 1
    bar = colour("blue", "|")
    rendered = [f"{'':>{width}} {bar}"]
    before = None
    for number in shown:
        if before is not None and number > before + 1:
            rendered.append(colour("blue", "..."))
        before = number
        text, columns = _visible(lines[number - 1])
        label = colour("blue", f"{number - offset:>{width}}")
        rendered.append(f"{label} {bar} {_cut(text)}".rstrip())
        for mark in marks:
            if mark.span.start.line == number:
                under = _underline(mark, columns, colour)
                rendered.append(f"{'':>{width}} {bar} {under}")
    rendered.append(f"{'':>{width}} {bar}")
    return rendered


def _chosen(marks: Sequence[Mark], bounds: range) -> list[int]:
    """The marked lines with a little around them; small gaps are filled."""
    wanted = sorted(
        {
            line
            for mark in marks
            for line in range(mark.span.start.line - _CONTEXT, mark.span.start.line + _CONTEXT + 1)
            if line in bounds
        }
    )
    filled: list[int] = []
    for line in wanted:
        if filled and 1 < line - filled[-1] <= _GAP + 1:
            filled.extend(range(filled[-1] + 1, line))
        filled.append(line)
    return filled


def _visible(line: str) -> tuple[str, list[int]]:
    """The line as printed, and the screen column at which each character of it begins."""
    text = ""
    columns = []
    width = 0
    for char in line:
        columns.append(width)
        piece = " " * 4 if char == "\t" else one_line(char)
        text += piece
        wide = len(piece) == 1 and unicodedata.east_asian_width(piece) in "WF"
        width += 2 if wide else len(piece)
    return text, [*columns, width]


def _underline(mark: Mark, columns: list[int], colour: Colours) -> str:
    last = len(columns) - 1
    start = columns[min(mark.span.start.column - 1, last)]
    one_line_only = mark.span.start.line == mark.span.end.line
    end = columns[min(mark.span.end.column - 1, last)] if one_line_only else columns[last]
    if start >= _WIDEST:
        return colour("yellow", mark.label)
    length = max(1, min(end, _WIDEST) - start)
    color = "red" if mark.main else "yellow"
    drawn = ("^" if mark.main else "-") * length
    return " " * start + colour(color, f"{drawn} {mark.label}".rstrip())


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else text[: _WIDEST - 3] + "..."
