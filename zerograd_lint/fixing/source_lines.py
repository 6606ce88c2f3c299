"""The lines of a text around a statement: its indentation, its line ends, the comment above it."""

from __future__ import annotations

import re

from ..finding import Edit, Position, Span

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_COMMENT = re.compile(r"(?P<indent>[ \t]*)#(?!\s*%%|\s*zerograd-lint cell)")
"""A comment on a line of its own, other than those that begin a cell."""


class SourceLines:
    """A text as lines, counted from 1."""

    def __init__(self, text: str) -> None:
        self._lines: list[str] = _LINE.findall(text)

    def __len__(self) -> int:
        return len(self._lines)

    def between(self, first: int, last: int) -> list[str]:
        """The lines from one to another, both included, without their ends."""
        return [text.rstrip("\r\n") for text in self._lines[first - 1 : last]]

    def before(self, position: Position) -> str:
        """What stands on the line in front of a position."""
        return self._lines[position.line - 1][: position.column - 1]

    def text(self, span: Span) -> str:
        """What stands between two positions, line ends included."""
        start, end = span.start, span.end
        if start.line == end.line:
            return self._lines[start.line - 1][start.column - 1 : end.column - 1]
        last = self._lines[end.line - 1][: end.column - 1] if end.line <= len(self) else ""
        middle = self._lines[start.line : end.line - 1]
        return "".join([self._lines[start.line - 1][start.column - 1 :], *middle, last])

    def comment_start(self, line: int, indent: str) -> int:
        """The first line of the comment directly above a line, or that line if there is none."""
        while line > 1:
            comment = _COMMENT.match(self._lines[line - 2])
            if comment is None or comment["indent"] != indent:
                break
            line -= 1
        return line

    def ending(self, line: int) -> str:
        """The line ending in use around a line."""
        for number in (line - 1, line - 2, 0):
            if 0 <= number < len(self._lines):
                text = self._lines[number]
                ending = text[len(text.rstrip("\r\n")) :]
                if ending:
                    return ending
        return "\n"

    def is_unended(self, line: int) -> bool:
        """Whether the text stops on a line without ending it."""
        return line >= len(self) and not self._lines[-1].endswith(("\n", "\r"))

    def insertion(self, line: int, text: str) -> Edit:
        """New lines in front of line number `line`, which may be one past the end."""
        ending = self.ending(line)
        if line > len(self) and self.is_unended(line):
            at = Position(len(self), len(self._lines[-1]) + 1)
            return Edit(Span(at, at), ending + text)
        at = Position(line, 1)
        return Edit(Span(at, at), text + ending)

    def end_of(self, line: int) -> Position:
        """The position behind the last character of a line, its end included."""
        return Position(line, len(self._lines[line - 1]) + 1)
