"""Parse an excerpt with libcst, after refusing what its parser cannot take."""

from __future__ import annotations

import re

import libcst as cst

from ..finding import SourceError
from ..prefilter.excerpt import Excerpt
from . import limits

_VALIDATE = cst.CSTNode.__post_init__
_PLACE = re.compile(r"error at (\d+):(\d+)")


def parse(part: Excerpt) -> cst.Module:
    """The module; `SourceError`, with its line in the file, for what cannot be parsed."""
    line_numbers = part.line_numbers
    limits.refuse_tangles(part.long_statements)
    limits.refuse_excerpt(part.text)
    limits.refuse_patterns(part.text, line_numbers)
    try:
        return _parse_module(part.text)
    except cst.ParserSyntaxError as error:
        # The message lists every token that would have fitted, behind the place of the error.
        place = _PLACE.search(error.message)
        if place is None:
            message = error.message.partition("\n")[0]
            line = line_numbers[min(error.editor_line, len(line_numbers)) - 1]
            raise SourceError(f"cannot parse: {message}", line) from None
        line = line_numbers[min(int(place[1]), len(line_numbers)) - 1]
        raise SourceError("cannot parse: invalid syntax", line, int(place[2]) + 1) from None
    except UnicodeError as error:
        raise SourceError(f"cannot parse: {error}") from None


def _parse_module(text: str) -> cst.Module:
    """Parse without validating every node again, which takes a third of the time.

    What the parser makes is valid; libcst would even refuse some of it: `assert(a if b else c)`.
    """
    cst.CSTNode.__post_init__ = _accept  # type: ignore[method-assign, assignment]
    try:
        return cst.parse_module(text)
    finally:
        cst.CSTNode.__post_init__ = _VALIDATE  # type: ignore[method-assign]


def _accept(node: cst.CSTNode) -> None:
    """Take a node as it is."""
