"""Fenced Python blocks in Markdown, checked where they stand: tutorials are where bugs spread.

Every block is laid out as a Python text in which all other lines are blank, so line numbers are
the document's own. Blocks of one document continue each other as often as they stand alone,
so a finding counts only when it holds both for the block by itself and for all blocks joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .. import check_source
from ..config.settings import Settings
from ..finding import Edit, Finding, Position, SourceError, Span
from ..fixing.apply import apply as apply_fixes
from . import python_parser
from .noqa import unsilenced

_FENCE = re.compile(r"^(?P<indent>[ \t]*(?:>[ \t]?)*[ \t]*)(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$")
_PYTHON = re.compile(
    r"\s*(?:\{(?:code(?:-block|-cell)?\}\s*)?\.?)?(?:python3?|py3?|ipython3?)\b", re.I
)


@dataclass(frozen=True, slots=True)
class Block:
    first_line: int
    """The line in the document on which the code begins, counted from 1."""
    lines: tuple[str, ...]
    """Without the indentation of the fence."""
    indent: str


def check(text: str, filename: str, settings: Settings) -> list[Finding]:
    """Findings in all Python blocks of a document, placed in the document itself."""
    blocks = [block for block in python_blocks(text) if _parses(block)]
    prelude = "import torch" if "torch" in text else ""
    alone = [
        (block, finding)
        for block in blocks
        for finding in _findings(_layout([block], prelude), filename, settings)
    ]
    if not alone:
        return []
    joined = {
        (finding.code, finding.line)
        for finding in _findings(_layout(blocks, prelude), filename, settings)
    }
    kept = [_in_document(f, block) for block, f in alone if (f.code, f.line) in joined]
    return sorted(kept, key=lambda finding: finding.span)


def _findings(text: str, filename: str, settings: Settings) -> list[Finding]:
    try:
        return unsilenced(text, check_source(text, filename, settings=settings))
    except SourceError:
        return []  # a fragment: documents are full of them


def python_blocks(text: str) -> Iterable[Block]:
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


def _parses(block: Block) -> bool:
    try:
        python_parser.parse("\n".join(block.lines))
    except (SyntaxError, ValueError, RecursionError, SystemError, MemoryError):
        return False
    return True


def _layout(blocks: list[Block], prelude: str) -> str:
    """Python text with these blocks on their own lines and nothing on the others."""
    last = blocks[-1]
    lines = [""] * (last.first_line + len(last.lines) - 1)
    lines[0] = prelude  # a fence stands above every block, so the first line is always free
    for block in blocks:
        start = block.first_line - 1
        lines[start : start + len(block.lines)] = block.lines
    return "\n".join(lines) + "\n"


def apply(text: str, findings: Sequence[Finding], *, unsafe: bool = False) -> tuple[str, int]:
    """Apply fixes block by block, from the last up, so that earlier lines stay where they are."""
    lines = text.split("\n")
    total = 0
    for block in reversed(list(python_blocks(text))):
        start, end = block.first_line - 1, block.first_line - 1 + len(block.lines)
        inside = [_in_block(f, block) for f in findings if start < f.line <= end]
        if not inside:
            continue
        fixed, applied = apply_fixes(_layout([block], ""), inside, unsafe=unsafe)
        code = fixed.removesuffix("\n").split("\n")[start:]
        pairs = zip(lines[start:end], block.lines, strict=True)
        blank = next((raw for raw, line in pairs if not line), block.indent.rstrip())
        lines[start:end] = [block.indent + line if line else blank for line in code]
        total += applied
    return "\n".join(lines), total


def _in_document(finding: Finding, block: Block) -> Finding:
    """The same finding with columns and inserted lines behind the fence's indentation."""
    return _moved(finding, len(block.indent), "\n", "\n" + block.indent)


def _in_block(finding: Finding, block: Block) -> Finding:
    return _moved(finding, -len(block.indent), "\n" + block.indent, "\n")


def _moved(finding: Finding, columns: int, old_break: str, new_break: str) -> Finding:
    if not columns:
        return finding

    def moved(span: Span) -> Span:
        start, end = span.start, span.end
        return Span(
            Position(start.line, start.column + columns), Position(end.line, end.column + columns)
        )

    fix = finding.fix
    if fix is not None:
        edits = tuple(
            Edit(moved(edit.span), edit.replacement.replace(old_break, new_break))
            for edit in fix.edits
        )
        fix = replace(fix, edits=edits)
    related = tuple(replace(item, span=moved(item.span)) for item in finding.related)
    return replace(finding, span=moved(finding.span), related=related, fix=fix)
