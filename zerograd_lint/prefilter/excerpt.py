"""The lines of a file that can matter, without the functions and tables that cannot.

libcst reads ten times slower than Python's own parser, so it gets to see only these. Whole
lines go, so that columns stay; the numbers of those that stay are kept beside them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..files import python_parser
from .units import FunctionNode

_LINE_END = re.compile(r"\r\n|\r|\n")
_LONG = 400
"""Characters of a statement that may hold a tangle of operators worth refusing."""
_TABLE = 5_000
"""Characters of a literal that is a table of data."""
_DATA = (ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.unaryop, ast.Load)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a file that is a program by itself."""

    text: str
    line_numbers: Sequence[int]
    """The line in the file of every line of the text."""
    long_statements: Sequence[tuple[int, str]]
    """Statements that a parser may find too long, each with its line in the file."""
    acting: frozenset[str] | None = None
    """The names of its functions that may do something to gradients when they run, for what is in
    no function an empty one; None if any of them may."""


class _Cut(NamedTuple):
    """Lines that go, the first and the last of them, and what stands in their place."""

    first: int
    last: int
    replacement: str


def split_lines(text: str) -> list[str]:
    """The lines of a file as Python's parser counts them."""
    if "\r" not in text:
        return text.split("\n")  # which takes a tenth of the time
    return _LINE_END.split(text)


def whole_file(text: str) -> Excerpt:
    """All of a file; what Python's parser cannot read counts as one long statement."""
    lines = split_lines(text)
    numbers = range(1, len(lines) + 1)
    try:
        tree = python_parser.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        return unparsed(lines)
    heads = ((s.lineno, _head(s, lines)) for block in _blocks(tree, ()) for s in block)
    return Excerpt(text, numbers, [(line, head) for line, head in heads if len(head) > _LONG])


def unparsed(lines: Sequence[str], first: int = 1) -> Excerpt:
    """A file from a line on that Python's parser cannot read."""
    text = "\n".join(lines[first - 1 :])
    return Excerpt(text, range(first, len(lines) + 1), [(first, text)])


def without(
    tree: ast.Module,
    lines: Sequence[str],
    left_out: Collection[ast.AST],
    named: Collection[str],
) -> Excerpt:
    """The file without some functions and classes; of those `named` a stub says that they exist.

    Docstrings, comments and blank lines go as well: nothing depends on them, and libcst makes a
    node of each. (A line of a text that looks like one goes, too; no text is read that long.)
    """
    cuts: list[_Cut] = []
    long: list[tuple[int, str]] = []
    for block in _blocks(tree, left_out):
        if _has_docstring(block, lines):
            docstring, *block = block
            cuts.append(_Cut(docstring.lineno, docstring.end_lineno or 0, ""))
        cuts += _definition_cuts(block, lines, left_out, named)
        for statement in block:
            text = _head(statement, lines) if statement not in left_out else ""
            if len(text) > _TABLE and _is_table(statement, lines):
                cuts.append(_table_cut(statement, lines))
            elif len(text) > _LONG:
                long.append((statement.lineno, text))
    kept: list[tuple[int, str]] = []
    at = 0
    for cut in sorted(cuts):
        kept += _lines_of_code(lines, at, cut.first - 1)
        if cut.replacement:
            kept.append((cut.first, cut.replacement))
        at = cut.last
    kept += _lines_of_code(lines, at, len(lines))
    numbers = [number for number, _ in kept]
    return Excerpt("\n".join(line for _, line in kept), numbers, long)


def _lines_of_code(lines: Sequence[str], start: int, end: int) -> Iterator[tuple[int, str]]:
    """Lines that are neither blank nor a comment, each with its number."""
    for index in range(start, end):
        line = lines[index]
        code = line.lstrip()
        if code and code[0] != "#":
            yield index + 1, line


def _blocks(tree: ast.Module, left_out: Collection[ast.AST]) -> Iterator[list[ast.stmt]]:
    """Every list of statements, without those of what is left out."""
    pending: list[ast.AST] = [tree]
    while pending:
        parent = pending.pop()
        for name in ("body", "handlers", "orelse", "finalbody", "cases"):
            block = getattr(parent, name, ())
            if block and isinstance(block, list):
                pending += [child for child in block if child not in left_out]
                if isinstance(block[0], ast.stmt):
                    yield block


def _definition_cuts(
    block: list[ast.stmt],
    lines: Sequence[str],
    left_out: Collection[ast.AST],
    named: Collection[str],
) -> Iterator[_Cut]:
    gone = [s for s in block if isinstance(s, FunctionNode | ast.ClassDef) and s in left_out]
    would_be_empty = len(gone) == len(block) and not any(each.name in named for each in gone)
    for definition in gone:
        stub = f"def {definition.name}(): pass" if definition.name in named else ""
        if would_be_empty and definition is gone[0]:
            stub = "pass"
        indent = lines[definition.lineno - 1][: definition.col_offset] if stub else ""
        first = min([definition.lineno, *(d.lineno for d in definition.decorator_list)])
        last = definition.end_lineno or first
        while last < len(lines) and not lines[last].strip():  # blank lines are nodes, too
            last += 1
        yield _Cut(first, last, indent + stub)


def _has_docstring(block: list[ast.stmt], lines: Sequence[str]) -> bool:
    """Whether a block begins with a text that has its lines to itself, and goes on after it."""
    match block:
        case [ast.Expr(value=ast.Constant(value=str())) as text, following, *_]:
            before = lines[text.lineno - 1][: text.col_offset]
            return not before.strip() and following.lineno > (text.end_lineno or 0)
    return False


def _head(statement: ast.stmt, lines: Sequence[str]) -> str:
    """A statement's text, less the statements in it."""
    body = getattr(statement, "body", None)
    first, last = statement.lineno, statement.end_lineno or 0
    if isinstance(body, list):
        last = max(first, body[0].lineno - 1)
    if first == last:
        # Many statements may share a line, and none of them must copy all of it.
        return lines[first - 1][statement.col_offset : statement.end_col_offset]
    return "\n".join(lines[first - 1 : last])


def _is_table(statement: ast.stmt, lines: Sequence[str]) -> bool:
    """`NAME = [[1.5, "a"], …]`, with its lines to itself."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=value, end_lineno=int(last)):
            before = lines[statement.lineno - 1][: statement.col_offset]
            behind = lines[last - 1].encode()[statement.end_col_offset :]
            alone = not before.strip() and b";" not in behind
            return alone and all(isinstance(part, _DATA) for part in ast.walk(value))
    return False


def _table_cut(statement: ast.stmt, lines: Sequence[str]) -> _Cut:
    first = statement.lineno
    name = lines[first - 1].partition("=")[0]
    return _Cut(first, statement.end_lineno or first, f"{name}= ...")
