"""Whether libcst reads a fixed text and writes back exactly the same characters."""

from __future__ import annotations

from ..finding import SourceError
from ..prefilter.excerpt import whole_file


def refusal(text: str) -> str:
    """Why a fixed text must not replace the old one, in one line; empty if it may."""
    from ..syntax import limits
    from ..syntax.parse import parse

    try:
        limits.refuse_size(text)
        written_back = parse(whole_file(text)).code
    except SourceError as error:
        return error.message
    except RecursionError:
        return "it is nested too deeply"
    if written_back != text:
        return "libcst does not write it back unchanged (a form feed or a lone carriage return)"
    return ""
