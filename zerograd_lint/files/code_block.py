"""A piece of Python inside a document: where it stands, and how it is replaced."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .ipython_cell import as_python as cell_as_python
from .ipython_cell import as_written

_PROMPT = re.compile(r"(?:>>>|\.\.\.)(?: (?P<code>.*))?$")
_STANDALONE = re.compile(r"\bstandalone\b|\bskip-execution\b|\beval\s*[:=]\s*false\b", re.I)


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of a document that are Python."""

    first_line: int
    """The line in the document on which the code begins, counted from 1."""
    lines: tuple[str, ...]
    """Without the indentation, and with magics turned into Python."""
    indent: str
    parses: bool
    standalone: bool
    """Whether the document says that it does not continue the blocks before it."""
    is_session: bool = False
    """Whether prompts stand in front of the lines, so that none can be replaced."""

    @property
    def last_line(self) -> int:
        return self.first_line + len(self.lines) - 1


def make_block(first_line: int, lines: Sequence[str], indent: str, options: str) -> Block:
    """A block of these lines, where `options` is what the document says about it."""
    options += "".join(line for line in lines if line.startswith("#|"))
    is_session = has_prompts(lines)
    if is_session:
        indent += "    "
        lines = [match["code"] or "" if (match := _PROMPT.match(line)) else "" for line in lines]
    cell = cell_as_python("\n".join(lines))
    return Block(
        first_line=first_line,
        lines=tuple(cell.text.split("\n")[: len(lines)]) if lines else (),
        indent=indent,
        parses=cell.flaw is None and not cell.indented,
        standalone=_STANDALONE.search(options) is not None,
        is_session=is_session,
    )


def has_prompts(lines: Sequence[str]) -> bool:
    """Whether the lines are an interactive session: prompts, code behind them, and output."""
    return next((line for line in lines if line.strip()), "").startswith(">>>")


def unindent(line: str, indent: str) -> str:
    """A line of a block without the indentation of the block."""
    if line.startswith(indent):
        return line[len(indent) :]
    return "" if not line.strip(" \t>") else line


def as_python(blocks: Sequence[Block], first_line: str) -> str:
    """Python text with these blocks on the lines they have in the document, the others blank.

    Something stands above every block, so the first line is free for an import.
    """
    lines = [""] * max(block.last_line for block in blocks)
    lines[0] = first_line
    for block in blocks:
        lines[block.first_line - 1 : block.last_line] = block.lines
    return "\n".join(lines) + "\n"


def with_code(text: str, code: Mapping[Block, Sequence[str]]) -> str:
    """The document with the code of some of its blocks replaced, indented as it was."""
    lines = text.split("\n")
    # From the last up, so that the lines of earlier blocks stay where they are.
    for block in sorted(code, key=lambda block: -block.first_line):
        old = slice(block.first_line - 1, block.last_line)
        pairs = zip(lines[old], block.lines, strict=True)
        blank = next((raw for raw, line in pairs if not line), block.indent.rstrip())
        new = as_written("\n".join(code[block])).split("\n")
        lines[old] = [block.indent + line if line else blank for line in new]
    return "\n".join(lines)
