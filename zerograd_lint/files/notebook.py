"""A notebook's code cells as one Python text, and a changed text back into its cells.

Cells are joined by marker comments, so that findings map to their cell and a fixed text comes
apart again. Writing replaces nothing but the source of
cells that changed: every other byte of the JSON stays as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..finding import SourceError
from .ipython_cell import as_python, as_written, plain_line_ends
from .notebook_json import Cell, code_cells, dump_like

_MARKER = "# zerograd-lint cell"
_BLOCK = "if 1:  "
"""Opens the block that an indented cell is the body of."""
_MARKER_LINE = re.compile(rf"^(?:{_BLOCK})?{_MARKER} (\d+)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook's JSON, its code cells, and the Python text made of them."""

    raw: str
    cells: tuple[Cell, ...]
    text: str
    """The cells joined as Python."""
    broken: tuple[tuple[Cell, SourceError], ...]
    """Cells that are no Python; they are masked in the text."""
    unfinished: tuple[tuple[Cell, SourceError], ...]
    """Cells that are none because an exercise leaves blanks in them; masked as well."""

    def cell_sources(self, text: str) -> dict[int, str]:
        """Each cell's source in a changed text, magics in place again."""
        if text.count(_MARKER) != self.text.count(_MARKER):
            raise SourceError("the fix would cross a cell boundary")
        parts = _MARKER_LINE.split(text)[1:]
        sources = {
            int(number): as_written(source)
            for number, source in zip(parts[::2], parts[1::2], strict=True)
        }
        return {
            cell.number: _like(cell.source, sources[cell.number])
            for cell in self.cells
            if cell.number in sources
        }

    def with_sources(self, sources: dict[int, str]) -> str:
        """The notebook's JSON with the source of changed cells replaced."""
        raw = self.raw
        for cell in reversed(self.cells):
            if sources.get(cell.number, cell.source) != cell.source:
                value = raw[cell.start : cell.end]
                raw = raw[: cell.start] + dump_like(value, sources[cell.number]) + raw[cell.end :]
        return raw


def cell_starts(text: str) -> tuple[tuple[int, int], ...]:
    """(cell number, the line of the joined text just before its first line) for every cell."""
    return tuple(
        (int(line.rpartition(" ")[2]), number)
        for number, line in enumerate(text.split("\n"), 1)
        if is_marker(line)
    )


def is_marker(line: str) -> bool:
    """Whether a line of the joined text is not one of a cell, but stands in front of one."""
    return line.startswith((_MARKER, _BLOCK + _MARKER))


def by_cells(message: str, line: int, cells: Sequence[tuple[int, int]]) -> str:
    """A message that counts lines within cells, naming the cell where it is another one."""

    def cell_of(number: int) -> tuple[int, int]:
        return next((cell for cell in reversed(cells) if cell[1] < number), (0, 0))

    def place(match: re.Match[str]) -> str:
        number = int(match[1])
        cell, start = cell_of(number)
        where = f"line {number - start}"
        return where if cell == cell_of(line)[0] else f"cell {cell}, {where}"

    return re.sub(r"\bline (\d+)", place, message)


def _like(original: str, source: str) -> str:
    """A cell's new source with the line ends of the old, or the old one if it is the same."""
    # Joining the cells put a line break behind each, which may not be the cell's own.
    source = source.removesuffix("\n")
    before = plain_line_ends(original)
    source = source + "\n" if before.endswith("\n") else source
    if source == before:
        return original
    return source.replace("\n", "\r\n") if "\r\n" in original else source


def parse(raw: str) -> Notebook:
    """Read a notebook; `SourceError` says in one line what is wrong with it."""
    try:
        cells = tuple(code_cells(raw))
    except json.JSONDecodeError as error:
        raise SourceError(f"not a notebook: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise SourceError("not a notebook: nested too deeply") from None
    parts: list[str] = []
    broken: list[tuple[Cell, SourceError]] = []
    unfinished: list[tuple[Cell, SourceError]] = []
    for cell in cells:
        python = as_python(cell.source)
        parts.append(f"{_BLOCK if python.indented else ''}{_MARKER} {cell.number}\n")
        parts.append(python.text.removesuffix("\n") + "\n")
        if python.flaw is not None:
            (unfinished if python.has_blanks else broken).append((cell, python.flaw))
    return Notebook(raw, cells, "".join(parts), tuple(broken), tuple(unfinished))
