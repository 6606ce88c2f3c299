"""Python blocks in a reStructuredText: the bodies of `code-block` and its relatives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .code_block import Block, has_prompts, make_block, unindent

_DIRECTIVE = re.compile(
    r"^(?P<indent>[ \t]*)\.\. (?:"
    r"(?:code-block|code|sourcecode)::[ \t]*(?:python3?|py3?|ipython3?)"
    r"|(?:testcode|jupyter-execute)::[^\n]*"
    r"|(?P<session>(?:code-block|code|sourcecode)::[ \t]*(?:pycon|doctest)|doctest::[^\n]*)"
    r")[ \t]*$",
    re.I,
)
_OPTION = re.compile(r"\s+:[\w-]+:")


def python_blocks(text: str) -> Iterator[Block]:
    """The bodies of all directives that show Python, in order."""
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        directive = _DIRECTIVE.match(lines[index])
        index += 1
        if directive is None:
            continue
        options = index
        while index < len(lines) and _OPTION.match(lines[index]):
            index += 1
        said = "\n".join(lines[options:index])
        first = index
        while index < len(lines) and _is_inside(lines[index], directive["indent"]):
            index += 1
        while first < index and not lines[first].strip():
            first += 1
        last = index
        while last > first and not lines[last - 1].strip():
            last -= 1
        if first < last:
            indent = lines[first][: len(lines[first]) - len(lines[first].lstrip())]
            code = [unindent(line, indent) for line in lines[first:last]]
            if not directive["session"] or has_prompts(code):
                yield make_block(first + 1, code, indent, said)


def _is_inside(line: str, indent: str) -> bool:
    """Whether a line is blank, or indented deeper than the directive."""
    return not line.strip() or (line.startswith(indent) and line[len(indent)] in " \t")
