"""Whether libcst reads a fixed text and writes back exactly the same characters."""

from __future__ import annotations

from ..finding import SourceError
from ..syntax import limits, python_parser


def refusal(text: str) -> str:
    """Why a fixed text must not replace the old one, in one line; empty if it may."""
    try:
        _refuse_what_harms_libcst(text)
    except SourceError as error:
        return error.message
    import libcst

    try:
        written_back = libcst.parse_module(text).code
    except (libcst.ParserSyntaxError, UnicodeError):
        return "libcst cannot parse it"
    except RecursionError:
        return "it is nested too deeply"
    if written_back != text:
        return "libcst does not write it back unchanged (a form feed or a lone carriage return)"
    return ""


def _refuse_what_harms_libcst(text: str) -> None:
    """Raise `SourceError` for text that would crash libcst or take it minutes."""
    lines = text.split("\n")
    limits.refuse_size(text)
    limits.refuse_rest(lines)
    limits.refuse_patterns(text)
    limits.refuse_tangles(_top_level_statements(text, lines))


def _top_level_statements(text: str, lines: list[str]) -> list[tuple[int, str]]:
    """The lines of each statement of the module, with the number of the first of them.

    All lines belong together where `ast` cannot parse the text.
    """
    try:
        body = python_parser.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        return [(1, text)]
    spans: list[tuple[int, int]] = []
    for node in body:
        last = node.end_lineno or node.lineno
        if spans and node.lineno <= spans[-1][1]:
            spans[-1] = spans[-1][0], last
        else:
            spans.append((node.lineno, last))
    return [(first, "\n".join(lines[first - 1 : last])) for first, last in spans]
