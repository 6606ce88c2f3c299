"""Fenced Python blocks in a Markdown text: where they stand, and how to replace them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_FENCE = re.compile(r"^(?P<indent>[ \t]*(?:>[ \t]?)*[ \t]*)(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$")
_PYTHON = re.compile(
    r"\s*(?:\{(?:code(?:-block|-cell)?\}\s*)?\.?)?(?:python3?|py3?|ipython3?)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Block:
    """The code between two fences."""

    first_line: int
    """The line in the document on which the code begins, counted from 1."""
    lines: tuple[str, ...]
    """Without the indentation of the fence."""
    indent: str

    @property
    def last_line(self) -> int:
        return self.first_line + len(self.lines) - 1


def python_blocks(text: str) -> Iterator[Block]:
    """All blocks whose fence names Python, in order."""
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        opening = _FENCE.match(lines[index])
        index += 1
        if opening is None:
            continue
        first = index
        while index < len(lines) and not _closes(lines[index], opening["mark"]):
            index += 1
        if _PYTHON.match(opening["info"]):
            indent = opening["indent"]
            code = tuple(_unindent(line, indent) for line in lines[first:index])
            yield Block(first + 1, code, indent)
        index += 1


def _closes(line: str, mark: str) -> bool:
    closing = _FENCE.match(line)
    return closing is not None and closing["mark"].startswith(mark) and not closing["info"].strip()


def _unindent(line: str, indent: str) -> str:
    if line.startswith(indent):
        return line[len(indent) :]
    return "" if not line.strip(" \t>") else line


def as_python(blocks: Sequence[Block], first_line: str) -> str:
    """Python text with these blocks on the lines they have in the document, the others blank.

    A fence stands above every block, so the first line is always free for an import.
    """
    lines = [""] * blocks[-1].last_line
    lines[0] = first_line
    for block in blocks:
        lines[block.first_line - 1 : block.last_line] = block.lines
    return "\n".join(lines) + "\n"


def with_code(text: str, code: Mapping[Block, Sequence[str]]) -> str:
    """The document with the code of some of its blocks replaced, indented like the fence."""
    lines = text.split("\n")
    # From the last up, so that the lines of earlier blocks stay where they are.
    for block in sorted(code, key=lambda block: -block.first_line):
        old = slice(block.first_line - 1, block.last_line)
        pairs = zip(lines[old], block.lines, strict=True)
        blank = next((raw for raw, line in pairs if not line), block.indent.rstrip())
        lines[old] = [block.indent + line if line else blank for line in code[block]]
    return "\n".join(lines)
