"""A finding: its message, where it stands, and the edits that mend it.

Lines and columns count from 1 and columns count characters, exactly as they are printed.
An end position is exclusive.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A line and a column, both counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The text from one position up to another."""

    start: Position
    end: Position


@dataclass(frozen=True, slots=True)
class Related:
    """Another line that takes part in the bug: the backward, or the zeroing that came too early."""

    span: Span
    message: str
    path: str | None = None
    """The file it stands in, if that is another one than the finding's."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of `span` by `replacement`; an empty span inserts."""

    span: Span
    replacement: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that belong together. A safe fix cannot break a program that was right."""

    message: str
    edits: tuple[Edit, ...]
    safe: bool


@dataclass(frozen=True, slots=True)
class Finding:
    """One report of a rule about one place in a file."""

    code: str
    name: str
    message: str
    span: Span
    related: tuple[Related, ...] = ()
    fix: Fix | None = None

    @property
    def line(self) -> int:
        return self.span.start.line

    @property
    def column(self) -> int:
        return self.span.start.column


class SourceError(Exception):
    """A file cannot be analysed; the message says why, in one line."""

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
