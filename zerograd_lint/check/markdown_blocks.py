"""Check and fix the Python blocks of a Markdown document: tutorials are where bugs spread.

Every block is laid out as a Python text in which all other lines are blank, so line numbers are
the document's own. Blocks of one document continue each other as often as they do not, so a
finding counts only when it holds both for the block by itself and for all blocks joined.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..config.settings import Settings
from ..files import python_parser
from ..files.markdown import Block, as_python, python_blocks, with_code
from ..files.noqa import unsilenced
from ..finding import Edit, Finding, Position, SourceError, Span
from ..fixing import apply as fixes
from ..fixing.apply import AppliedFixes
from . import engine
from .gate import can_train


def check(text: str, filename: str, settings: Settings) -> list[Finding]:
    """Findings in all Python blocks of a document, placed in the document itself."""
    blocks = [block for block in python_blocks(text) if _parses(block)]
    prelude = "import torch" if "torch" in text else ""
    by_block = [
        (block, finding)
        for block in blocks
        for finding in _findings(as_python([block], prelude), filename, settings)
    ]
    if not by_block:
        return []
    joined = {
        (finding.code, finding.line)
        for finding in _findings(as_python(blocks, prelude), filename, settings)
    }
    kept = [_in_document(f, block) for block, f in by_block if (f.code, f.line) in joined]
    return sorted(kept, key=lambda finding: finding.span)


def _findings(text: str, filename: str, settings: Settings) -> list[Finding]:
    if not can_train(text, settings.gate_names):
        return []  # the document passed the gate, this part of it does not
    try:
        return unsilenced(text, engine.check(text, filename, settings))
    except SourceError:
        return []  # a fragment: documents are full of them


def _parses(block: Block) -> bool:
    return python_parser.syntax_error("\n".join(block.lines)) is None


def apply(text: str, findings: Sequence[Finding], *, unsafe: bool) -> AppliedFixes:
    """Apply fixes, each within its block."""
    code: dict[Block, list[str]] = {}
    total = 0
    refused = ""
    for block in python_blocks(text):
        inside = [
            _in_block(finding, block)
            for finding in findings
            if block.first_line <= finding.line <= block.last_line
        ]
        if not inside:
            continue
        applied = fixes.apply(as_python([block], ""), inside, unsafe=unsafe)
        if applied.count:
            code[block] = applied.text.removesuffix("\n").split("\n")[block.first_line - 1 :]
            total += applied.count
        refused = refused or applied.refused
    return AppliedFixes(with_code(text, code), total, refused)


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
