"""A notebook's code cells as one Python text, and a changed text back into its cells.

Cells are joined by marker comments and magics masked by marker statements, so that findings map
to their cell and a fixed text comes apart again. Writing replaces nothing but the source of
cells that changed: every other byte of the JSON stays as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..finding import SourceError
from . import python_parser
from .notebook_json import Cell, code_cells, dump_like

_MARKER = "# zerograd-lint cell"
_MASK = "pass  # zerograd-lint magic"
_MAGIC = re.compile(
    r"(?P<indent>[ \t]*)(?:%{1,2}[A-Za-z_]|!|\?|[\w.]+\s*=\s*(?:!|%[A-Za-z_])|.*\?\s*$)"
    r"|% +[A-Za-z_]"
)
_PYTHON_CELL_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun", "%%memit", "%%python")


@dataclass(frozen=True, slots=True)
class Notebook:
    """A notebook's JSON, its code cells, and the Python text made of them."""

    raw: str
    cells: tuple[Cell, ...]
    text: str
    """The joined, masked Python text."""
    magics: tuple[str, ...]
    broken: tuple[tuple[Cell, SourceError], ...]
    """Cells that do not parse as Python; they are masked in the text."""

    def cell_sources(self, text: str) -> dict[int, str]:
        """Each cell's source in a changed text, magics in place again."""
        if text.count(_MARKER) != self.text.count(_MARKER):
            raise SourceError("the fix would cross a cell boundary")
        sources = {}
        for part in re.split(rf"^{_MARKER} ", text, flags=re.MULTILINE)[1:]:
            number, _, source = part.partition("\n")
            sources[int(number)] = self._unmask(source)
        return {
            cell.number: _like(cell.source, sources[cell.number])
            for cell in self.cells
            if cell.number in sources
        }

    def _unmask(self, source: str) -> str:
        return re.sub(
            rf"^[ \t]*{re.escape(_MASK)} (\d+)$",
            lambda match: self.magics[int(match[1])],
            source,
            flags=re.MULTILINE,
        )

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
        (int(line[len(_MARKER) :]), number)
        for number, line in enumerate(text.split("\n"), 1)
        if line.startswith(_MARKER)
    )


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
    before = _plain_ends(original)
    source = source + "\n" if before.endswith("\n") else source
    if source == before:
        return original
    return source.replace("\n", "\r\n") if "\r\n" in original else source


def _plain_ends(source: str) -> str:
    return source.replace("\r\n", "\n").replace("\r", "\n")


def parse(raw: str) -> Notebook:
    """Read a notebook; `SourceError` says in one line what is wrong with it."""
    try:
        cells = tuple(code_cells(raw))
    except json.JSONDecodeError as error:
        raise SourceError(f"not a notebook: {error.msg}", error.lineno, error.colno) from None
    except RecursionError:
        raise SourceError("not a notebook: nested too deeply") from None
    magics: list[str] = []
    parts: list[str] = []
    broken: list[tuple[Cell, SourceError]] = []
    for cell in cells:
        parts.append(f"{_MARKER} {cell.number}\n")
        masked, flaw = _as_python(cell.source, magics)
        if flaw is not None:
            broken.append((cell, flaw))
        parts.append(masked.removesuffix("\n") + "\n")
    return Notebook(raw, cells, "".join(parts), tuple(magics), tuple(broken))


def _as_python(source: str, magics: list[str]) -> tuple[str, SourceError | None]:
    """The cell as Python of the same number of lines, and the syntax error if it has one."""
    source = _plain_ends(source)
    first = source.lstrip().split("\n", 1)[0].strip()
    if first.startswith("%%") and first.split()[0] not in _PYTHON_CELL_MAGICS:
        return _mask(source, magics, every_line=True), None
    if _syntax_error(source) is None:
        return source, None
    masked = _mask(source, magics, every_line=False)
    error = _syntax_error(masked)
    if error is None:
        return masked, None
    return _mask(source, magics, every_line=True), error


def _mask(source: str, magics: list[str], *, every_line: bool) -> str:
    lines = source.removesuffix("\n").split("\n")
    indent, continued = "", False
    for index, line in enumerate(lines):
        match = _MAGIC.match(line)
        if every_line or continued or match:
            if match and not (every_line or continued):
                indent = match["indent"] or ""
            lines[index] = f"{indent}{_MASK} {len(magics)}"
            magics.append(line)
            # A backslash takes the shell's line on, as it does Python's.
            continued = line.rstrip().endswith("\\")
    return "\n".join(lines) + "\n"


def _syntax_error(source: str) -> SourceError | None:
    try:
        python_parser.parse(source)
    except SyntaxError as error:
        return SourceError(f"cannot parse: {error.msg}", error.lineno or 1, error.offset or 1)
    except (ValueError, RecursionError, SystemError, MemoryError) as error:
        return SourceError(f"cannot parse: {error}")
    return None
