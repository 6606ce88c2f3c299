"""Check and fix the Python blocks of a document: tutorials are where bugs spread.

The blocks of one document are one program, as the cells of a notebook are: an optimizer made in
the first is known in the second. But documents also show alternatives one after the other. So a
finding counts only if it holds both for all blocks together and for one block below nothing but
the definitions of those before it. Blocks keep their lines: everything else is left blank.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..config.settings import Settings
from ..files import python_parser
from ..files.code_block import Block, as_python, with_code
from ..files.noqa import skips_file, unsilenced
from ..finding import Edit, Finding, Position, SourceError, Span
from ..fixing import apply as fixes
from ..fixing.apply import AppliedFixes
from . import engine
from .gate import can_train

_DEFINITIONS = (
    ast.Import,
    ast.ImportFrom,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.Assign,
    ast.AnnAssign,
)


_Findings = dict[tuple[str, Span], Finding]


def check(
    blocks: Sequence[Block], filename: str, settings: Settings, first_line: str
) -> list[Finding]:
    """Findings in the Python blocks of one document, placed in the document itself.

    `first_line` is put in front of every program: the import of torch may go without saying.
    """

    # Of what an example imports, nothing is followed: it need not be what stands beside it.
    settings = replace(settings, project=False)

    def findings(some: Sequence[Block]) -> _Findings:
        return _findings(as_python(some, first_line), filename, settings)

    usable = [block for block in blocks if block.parses and not skips_file(_code(block))]
    together = [block for block in usable if not block.standalone]
    found = _in_one_program(together, findings) if together else {}
    for block in usable:
        if block.standalone:
            found.update(findings([block]))
    placed = (_in_document(finding, usable) for finding in found.values())
    return sorted(placed, key=lambda finding: finding.span)


def _in_one_program(
    blocks: list[Block], findings: Callable[[Sequence[Block]], _Findings]
) -> _Findings:
    joined = findings(blocks)
    found: _Findings = {}
    definitions: list[Block] = []
    defined: set[int] = set()
    """Lines that are part of definitions: a later block can be what makes them wrong."""
    for block in blocks:
        open_lines = {span.start.line for _, span in joined.keys() - found.keys()}
        if not open_lines:
            break
        if open_lines & {*defined, *range(block.first_line, block.last_line + 1)}:
            here = findings([*definitions, block])
            found.update({key: finding for key, finding in here.items() if key in joined})
        definitions.append(_definitions(block))
        defined |= {n for n, line in enumerate(definitions[-1].lines, block.first_line) if line}
    return found


def _findings(text: str, filename: str, settings: Settings) -> _Findings:
    if not can_train(text, settings.gate_names):
        return {}  # the document passed the gate, this part of it does not
    try:
        found = unsilenced(text, engine.check(text, filename, settings))
    except SourceError:
        return {}  # a fragment: documents are full of them
    return {(finding.code, finding.span): finding for finding in found}


def _code(block: Block) -> str:
    return "\n".join(block.lines)


def _definitions(block: Block) -> Block:
    """The block with nothing in it but imports, assignments, functions and classes."""
    lines = [""] * len(block.lines)
    for node in python_parser.parse(_code(block)).body:
        if isinstance(node, _DEFINITIONS):
            decorators = getattr(node, "decorator_list", ())
            first = min(item.lineno for item in (node, *decorators)) - 1
            last = node.end_lineno or node.lineno
            lines[first:last] = block.lines[first:last]
    return replace(block, lines=tuple(lines))


def apply(
    text: str, blocks: Sequence[Block], findings: Sequence[Finding], *, unsafe: bool
) -> AppliedFixes:
    """Apply fixes, each within its block."""
    code: dict[Block, list[str]] = {}
    total = 0
    refused = ""
    for block in blocks:
        lines = range(block.first_line, block.last_line + 1)
        inside = [_moved(each, [block], -1) for each in findings if each.line in lines]
        if not inside:
            continue
        applied = fixes.apply(as_python([block], ""), inside, unsafe=unsafe)
        if applied.count:
            code[block] = applied.text.removesuffix("\n").split("\n")[block.first_line - 1 :]
            total += applied.count
        refused = refused or applied.refused
    return AppliedFixes(with_code(text, code), total, refused)


def _in_document(finding: Finding, blocks: Sequence[Block]) -> Finding:
    """The same finding behind the indentation of its block, and with no fix in another block."""
    around = next(b for b in blocks if b.first_line <= finding.line <= b.last_line)
    fix = finding.fix
    if around.is_session or (
        fix is not None
        and not all(
            around.first_line <= edit.span.start.line <= edit.span.end.line <= around.last_line
            for edit in fix.edits
        )
    ):
        finding = replace(finding, fix=None)
    return _moved(finding, blocks, 1)


def _moved(finding: Finding, blocks: Sequence[Block], sign: int) -> Finding:
    """The same finding with the indentation of its blocks added (1) or taken away (-1)."""

    def indent(line: int) -> str:
        return next((b.indent for b in blocks if b.first_line <= line <= b.last_line), "")

    def moved(span: Span) -> Span:
        columns = sign * len(indent(span.start.line))
        start, end = span.start, span.end
        return Span(
            Position(start.line, start.column + columns), Position(end.line, end.column + columns)
        )

    fix = finding.fix
    if fix is not None:
        old, new = "\n", "\n" + indent(finding.line)
        if sign < 0:
            old, new = new, old
        edits = tuple(
            Edit(moved(edit.span), edit.replacement.replace(old, new)) for edit in fix.edits
        )
        fix = replace(fix, edits=edits)
    related = tuple(replace(item, span=moved(item.span)) for item in finding.related)
    return replace(finding, span=moved(finding.span), related=related, fix=fix)
