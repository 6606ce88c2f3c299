"""Examples in the docstrings of a Python text: doctests, fences and reStructuredText blocks."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from . import markdown, python_parser, restructured_text
from .code_block import Block, make_block

_PROMPT = re.compile(r"(?P<indent>[ \t]*)(?:>>>|\.\.\.)(?: (?P<code>.*))?$")
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
    """The code behind the prompts, with blank lines where output stands."""
    found: list[tuple[int, str]] = []
    indent = ""
    for number, line in enumerate(text.split("\n"), 1):
        prompt = _PROMPT.match(line)
        if prompt:
            indent = indent or prompt["indent"] + "    "
            found.append((number, prompt["code"] or ""))
    if found:
        first = found[0][0]
        code = [""] * (found[-1][0] - first + 1)
        for number, line in found:
            code[number - first] = line
        yield make_block(first, code, indent, "")
