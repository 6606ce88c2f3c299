"""The code cells in a notebook's JSON, and a cell's new source in the style of the old."""

from __future__ import annotations

import json
from dataclasses import dataclass

from .json_places import items, members, value_at


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell, and where its source stands in the file."""

    number: int
    """Counted from 1 over all cells, code or not."""
    source: str
    start: int
    """Where the JSON value of `source` begins and ends in the file's text."""
    end: int


def code_cells(raw: str) -> list[Cell]:
    """The Python cells with the place of their source, found without rebuilding the JSON."""
    document = members(raw)
    if "cells" not in document:
        raise json.JSONDecodeError("it has no cells", raw, 0)
    if "metadata" in document and not _is_python(value_at(raw, document["metadata"][0])):
        return []
    cells = []
    for number, (start, _) in enumerate(items(raw, document["cells"][0]), 1):
        cell = members(raw, start)
        if "cell_type" not in cell or "source" not in cell:
            raise json.JSONDecodeError(f"cell {number} has no type or no source", raw, start)
        if value_at(raw, cell["cell_type"][0]) != "code":
            continue
        begin, end = cell["source"]
        value = value_at(raw, begin)
        lines = [value] if isinstance(value, str) else value
        if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
            raise json.JSONDecodeError(f"the source of cell {number} is not text", raw, begin)
        cells.append(Cell(number, "".join(lines), begin, end))
    return cells


def source_lines(raw: str) -> dict[int, tuple[int, ...]]:
    """By the number of a code cell: the line of the file on which each of its lines stands."""
    found = {}
    for cell in code_cells(raw):
        if raw[cell.start] == '"':
            places = [(cell.start, cell.source)]
        else:
            places = [(start, str(value_at(raw, start))) for start, _ in items(raw, cell.start)]
        lines: list[int] = []
        begins = True
        for start, piece in places:
            line = raw.count("\n", 0, start) + 1
            for part in piece.splitlines(keepends=True):
                lines += [line] if begins else []
                begins = part.endswith(("\n", "\r"))
        found[cell.number] = tuple(lines)
    return found


def _is_python(metadata: object) -> bool:
    """Whether the notebook's kernel runs Python; one that names no language does."""
    if not isinstance(metadata, dict):
        return True
    for table, key in (("language_info", "name"), ("kernelspec", "language")):
        entry = metadata.get(table)
        if isinstance(entry, dict) and isinstance(entry.get(key), str):
            return "python" in entry[key].lower()
    return True


def dump_like(value: str, source: str) -> str:
    """The new source in the JSON style of the old: string or list, spacing and escapes."""
    ascii_only = value.isascii()
    if value.startswith('"'):
        return json.dumps(source, ensure_ascii=ascii_only)
    spans = items(value)
    old = {json.loads(value[start:end]): value[start:end] for start, end in spans}
    parts = source.split("\n")
    lines = [line + "\n" for line in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
    new = [old.get(line) or json.dumps(line, ensure_ascii=ascii_only) for line in lines]
    if not spans:
        return f"[{', '.join(new)}]"
    before, after = value[1 : spans[0][0]], value[spans[-1][1] : -1]
    between = value[spans[0][1] : spans[1][0]] if len(spans) > 1 else "," + (before or " ")
    return f"[{before}{between.join(new)}{after}]"
