"""The result of checking one file: findings, problems, and their places in the file."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field

from ..files.ipython_cell import as_written
from ..finding import Finding, Position, Related

UNCHECKED = "ZG000"
"""The code of every line about a file that could not be checked."""


@dataclass(frozen=True, slots=True)
class Place:
    """A position as it is printed: in a notebook, the cell and the line within it."""

    cell: int | None
    line: int
    column: int

    def __str__(self) -> str:
        return f"{f'cell {self.cell}:' if self.cell else ''}{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a file, or a cell of it, could not be checked or written."""

    message: str
    place: Place = Place(None, 1, 1)
    source: str = ""
    """The text whose lines the place counts; empty if no line is to be shown."""


@dataclass(slots=True)
class FileResult:
    """What checking one file led to, and what was changed in it."""

    path: str
    kind: str = "python"
    text: str = ""
    """What positions refer to; empty when there is nothing to report."""
    cells: tuple[tuple[int, int], ...] = ()
    """In a notebook: (cell number, the line of `text` just before it) in order."""
    file_lines: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """In a notebook: by cell, the line of the JSON file on which each of its lines stands."""
    findings: list[Finding] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    skipped: list[Problem] = field(default_factory=list)
    """Cells that were left out because they are exercises; they do not fail the run."""
    fixed: int = 0
    new_data: bytes | None = None
    """The changed file, when it was to be handed back rather than written."""
    diff: str = ""
    silenced: int = 0
    """How many `# noqa` comments were added."""
    from_cache: bool = False
    known: Counter[tuple[str, str]] = field(default_factory=Counter)
    """What the baseline knows of this file and is still there."""
    dependencies: dict[str, str] = field(default_factory=dict)
    """The other files that the findings follow from, each with a digest of what was there."""

    def place(self, position: Position) -> Place:
        """Where a position of `text` is in the file: in a notebook, counted within its cell."""
        if not self.cells:
            return Place(None, position.line, position.column)
        index = bisect_left(self.cells, position.line, key=lambda cell: cell[1]) - 1
        number, before = self.cells[max(index, 0)]
        return Place(number, position.line - before, position.column)

    def holding(self, related: Related) -> FileResult:
        """The file that a related line stands in, named as this one is."""
        if related.path is None:
            return self
        named = related.path if os.path.isabs(self.path) else os.path.relpath(related.path)
        return FileResult(named)

    def file_line(self, place: Place) -> int:
        """The line of the file itself on which a place is: in a notebook, a line of its JSON."""
        if place.cell is None:
            return place.line
        lines = self.file_lines.get(place.cell)
        return lines[min(place.line, len(lines)) - 1] if lines else 1

    def lines(self) -> list[str]:
        """The lines of `text` as they stand in the file, without their ends."""
        return (as_written(self.text) if self.cells else self.text).split("\n")
