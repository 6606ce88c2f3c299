"""A node of the syntax tree: its parts, and where in the text it stands."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ..finding import Position, Span


class Node:
    """The parts are the annotated slots of its class, in the order they are given to it."""

    __slots__ = ("_first", "_last", "_lines")
    parts: tuple[str, ...] = ()
    _lines: Sequence[str]
    _first: ast.AST
    _last: ast.AST

    def __init_subclass__(cls) -> None:
        cls.parts = tuple(cls.__annotations__)

    def __init__(self, *values: object) -> None:
        for name, value in zip(self.parts, values, strict=True):
            setattr(self, name, value)

    def put(self, lines: Sequence[str], first: ast.AST, last: ast.AST) -> None:
        """Say where it stands: from the beginning of one piece of code to the end of another."""
        self._lines = lines
        self._first = first
        self._last = last

    @property
    def span(self) -> Span:
        first, last = self._first, self._last
        start = first.lineno, first.col_offset  # type: ignore[attr-defined]
        for decorator in getattr(first, "decorator_list", ()):
            start = min(start, (decorator.lineno, decorator.col_offset - 1))
        end = last.end_lineno, last.end_col_offset  # type: ignore[attr-defined]
        return Span(self._position(*start), self._position(*end))

    def _position(self, line: int, offset: int) -> Position:
        return Position(line, characters(self._lines[line - 1], offset) + 1)

    @property
    def code(self) -> str:
        """The text it was read from."""
        start, end = self.span.start, self.span.end
        lines = self._lines[start.line - 1 : end.line]
        lines = [*lines[:-1], lines[-1][: end.column - 1]]
        return "\n".join([lines[0][start.column - 1 :], *lines[1:]])


def characters(line: str, offset: int) -> int:
    """How many characters so many bytes of a line are."""
    if line.isascii():
        return offset
    return len(line.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "surrogatepass"))
