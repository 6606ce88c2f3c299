"""Fenced Python blocks in a Markdown text, as Markdown, MyST and Quarto write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .code_block import Block, has_prompts, make_block, unindent

_FENCE = re.compile(r"^(?P<indent>[ \t]*(?:>[ \t]?)*[ \t]*)(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)$")
_PYTHON = re.compile(
    r"\s*(?:\{(?:code(?:-block|-cell)?\}\s*)?\.?)?(?:python3?|py3?|ipython3?)\b"
    r"|\s*\{(?:code-cell|testcode|jupyter-execute)\}\s*$",
    re.I,
)
_SESSION = re.compile(
    r"\s*(?:\{(?:code(?:-block)?\}\s*)?\.?)?(?:pycon|doctest|py(?:thon)?console)\b", re.I
)
_OPTION = re.compile(r":[\w-]+:")


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
        indent = opening["indent"]
        code = [unindent(line, indent) for line in lines[first:index]]
        if _is_python(opening["info"], code):
            options = _options(code) if "{" in opening["info"] else 0
            said = "\n".join([opening["info"], *code[:options]])
            yield make_block(first + options + 1, code[options:], indent, said)
        index += 1


def _is_python(info: str, code: list[str]) -> bool:
    if _PYTHON.match(info):
        return True
    return _SESSION.match(info) is not None and has_prompts(code)


def _closes(line: str, mark: str) -> bool:
    closing = _FENCE.match(line)
    return closing is not None and closing["mark"].startswith(mark) and not closing["info"].strip()


def _options(code: list[str]) -> int:
    """How many lines at the start are a directive's options: `:key: value`, or YAML in dashes."""
    if code[:1] == ["---"] and "---" in code[1:]:
        return code.index("---", 1) + 1
    count = 0
    while count < len(code) and _OPTION.match(code[count]):
        count += 1
    return count
