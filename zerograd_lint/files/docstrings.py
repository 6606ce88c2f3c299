"""Examples in the docstrings of a Python text: doctests, fences and reStructuredText blocks."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from . import markdown, python_parser, restructured_text
from .code_block import Block, make_block, unindent

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def example_blocks(text: str) -> Iterator[list[Block]]:
    """For every docstring with examples, its blocks of Python, at their lines in the text."""
    try:
        tree = python_parser.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines = text.split("\n")
    for node in ast.walk(tree):
        if not isinstance(node, _DOCUMENTED) or ast.get_docstring(node, clean=False) is None:
            continue
        string = node.body[0]
        # All other lines are blank, so that the lines of the blocks are those of the file.
        first, last = string.lineno - 1, string.end_lineno or string.lineno
        docstring = "\n".join([""] * first + lines[first:last])
        blocks = [
            *_doctests(docstring),
            *markdown.python_blocks(docstring),
            *restructured_text.python_blocks(docstring),
        ]
        if blocks:
            yield sorted(blocks, key=lambda block: block.first_line)


def _doctests(text: str) -> Iterator[Block]:
    """The session that the prompts of a docstring make up, from the first to the last."""
    lines = text.split("\n")
    prompts = [n for n, line in enumerate(lines) if line.lstrip().startswith((">>>", "..."))]
    first = next((n for n in prompts if lines[n].lstrip().startswith(">>>")), None)
    if first is not None:
        indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
        session = [unindent(line, indent) for line in lines[first : prompts[-1] + 1]]
        yield make_block(first + 1, session, indent, "")
