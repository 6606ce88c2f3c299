"""Columns in the unit the client counts in: UTF-8 bytes, UTF-16 code units or characters."""

from __future__ import annotations

import re

from lsprotocol import types

from ..finding import Position, Span

_LINE_END = re.compile(r"\r\n|\r|\n")
_CODECS = {"utf-8": (1, "utf-8"), "utf-16": (2, "utf-16-le"), "utf-32": (4, "utf-32-le")}
"""The size of a unit in bytes, and the encoding that consists of such units."""


def line_starts(text: str) -> list[int]:
    """Where each line begins; as in the protocol, nothing but CR and LF ends a line."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]


def lines_of(text: str) -> list[str]:
    """The lines without what ends them; a text that ends in a line break has an empty last one."""
    return _LINE_END.split(text)


class ColumnUnit:
    """Converts between characters of a line and the client's unit."""

    def __init__(self, encoding: types.PositionEncodingKind | str | None) -> None:
        name = encoding.value if isinstance(encoding, types.PositionEncodingKind) else encoding
        self._bytes, self._codec = _CODECS.get(name or "", _CODECS["utf-16"])

    def to_client(self, line: str, characters: int) -> int:
        """How many units the first characters of a line take."""
        return len(line[:characters].encode(self._codec, "surrogatepass")) // self._bytes

    def from_client(self, line: str, units: int) -> int:
        """How many characters so many units are; past the end of the line it is all of them."""
        if line.isascii():
            return min(units, len(line))
        data = line.encode(self._codec, "surrogatepass")[: units * self._bytes]
        return len(data.decode(self._codec, "ignore"))

    def range_of(self, span: Span, lines: list[str]) -> types.Range:
        """A span of a text with these lines as the client counts it."""
        return types.Range(self._to(span.start, lines), self._to(span.end, lines))

    def _to(self, position: Position, lines: list[str]) -> types.Position:
        index = position.line - 1
        if index >= len(lines):
            return types.Position(index, 0)
        return types.Position(index, self.to_client(lines[index], position.column - 1))

    def position_in(self, lines: list[str], position: types.Position) -> Position:
        """A position of the client as findings count it."""
        line = lines[position.line] if position.line < len(lines) else ""
        return Position(position.line + 1, self.from_client(line, position.character) + 1)
