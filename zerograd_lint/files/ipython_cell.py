"""A cell as IPython runs it, written as Python of as many lines, and that Python as a cell again.

Magics and shell lines become statements that do nothing, with the line itself in a comment behind
them. The code behind `%time` stays code, in its own columns. A cell that begins with indentation,
which IPython takes away, is put under an `if` by the line above it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..finding import SourceError
from .python_parser import syntax_error

_MASK = "pass  # zerograd-lint magic: "
_MASKED = re.compile(rf"^[ \t]*{re.escape(_MASK)}(.*)$", re.MULTILINE)
_MAGIC = re.compile(
    r"(?P<indent>[ \t]*)(?:%{1,2}[A-Za-z_]|!|\?|[\w.]+\s*=\s*(?:!|%[A-Za-z_])|.*\?\s*$)"
    r"|% +[A-Za-z_]"
)
_PYTHON_CELL_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun", "%%memit", "%%python")

_TIME = re.compile(r"(?P<indent>[ \t]*)%time(?P<code>[ \t]+[^ \t].*[^\\]|[ \t]+[^ \t])$")
_TIMED = "  # zerograd-lint timed"
_TIMED_LINE = re.compile(rf"^([ \t]*)None;(.*){_TIMED}$", re.MULTILINE)
"""`None;` is as long as `%time`, so what follows keeps its columns."""

_BLANKS = (
    (re.compile(r"<[^<>\n]+>"), "..."),
    (re.compile(r"=[ \t]*(?=#|$)", re.MULTILINE), "= ... "),
    (re.compile(r"^([ \t]+)#.*$", re.MULTILINE), r"\1..."),
)
"""What exercises leave open: `<YOUR CODE>`, a missing right side, a block with only a comment."""


@dataclass(frozen=True, slots=True)
class PythonCell:
    """A cell's Python text, as many lines as the cell has."""

    text: str
    indented: bool = False
    """Whether the text is the body of a block that has yet to be opened above it."""
    flaw: SourceError | None = None
    """Why the cell is no Python, in which case no line of it is left in the text."""
    has_blanks: bool = False
    """Whether it would be Python if the blanks of an exercise were filled in."""


def as_python(source: str) -> PythonCell:
    """The Python of a cell."""
    source = plain_line_ends(source)
    first = source.lstrip().split("\n", 1)[0].strip()
    if first.startswith("%%") and first.split()[0] not in _PYTHON_CELL_MAGICS:
        return PythonCell(_masked(source))
    if syntax_error(source) is None:
        return PythonCell(source)
    text = _without_magics(source)
    flaw = syntax_error(text)
    if flaw is None:
        return PythonCell(text)
    if text.lstrip("\n")[:1] in (" ", "\t") and syntax_error(f"if 1:\n{text}") is None:
        return PythonCell(text, indented=True)
    return PythonCell(_masked(source), flaw=flaw, has_blanks=_has_blanks(text))


def as_written(text: str) -> str:
    """Lines of a cell's Python text as they stand in the cell."""
    text = _MASKED.sub(lambda match: _unescaped(match[1]), text)
    return _TIMED_LINE.sub(r"\1%time\2", text)


def plain_line_ends(source: str) -> str:
    """The source with every line end as `\\n`."""
    return source.replace("\r\n", "\n").replace("\r", "\n")


def _masked(source: str) -> str:
    return "".join(_mask("", line) + "\n" for line in source.removesuffix("\n").split("\n"))


def _without_magics(source: str) -> str:
    lines = source.removesuffix("\n").split("\n")
    indent, continued = "", False
    for index, line in enumerate(lines):
        timed = None if continued else _timed(line)
        if timed is not None:
            lines[index] = timed
            continue
        match = _MAGIC.match(line)
        if continued or match:
            if match and not continued:
                indent = match["indent"] or ""
            lines[index] = _mask(indent, line)
            # A backslash takes the shell's line on, as it does Python's.
            continued = line.rstrip().endswith("\\")
    return "\n".join(lines) + "\n"


def _timed(line: str) -> str | None:
    """The line with `%time` in front of a simple statement turned into Python."""
    match = _TIME.match(line)
    if match is None or syntax_error(f"None;{match['code']}") is not None:
        return None
    return f"{match['indent']}None;{match['code']}{_TIMED}"


def _mask(indent: str, line: str) -> str:
    # Escaped, since a cell can hold characters that no Python file can.
    return f"{indent}{_MASK}{line.encode('unicode_escape').decode('ascii')}"


def _unescaped(text: str) -> str:
    return text.encode("ascii", "replace").decode("unicode_escape")


def _has_blanks(text: str) -> bool:
    for pattern, filling in _BLANKS:
        filled = pattern.sub(filling, text)
        if filled != text and syntax_error(filled) is None:
            return True
        text = filled
    return False
