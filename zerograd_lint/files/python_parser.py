"""Python's own parser, without its warnings about odd but valid code."""

from __future__ import annotations

import ast
import warnings

from ..finding import SourceError


def parse(text: str) -> ast.Module:
    """The `ast` of a module; raises what `ast.parse` raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def syntax_error(text: str) -> SourceError | None:
    """Why Python cannot parse this; None if it can."""
    try:
        parse(text)
    except (SyntaxError, ValueError, RecursionError, SystemError, MemoryError) as error:
        return source_error(error)
    return None


def source_error(error: Exception) -> SourceError:
    """Why Python cannot parse a text, at the place it says."""
    if isinstance(error, SyntaxError):
        line, column = error.lineno or 1, error.offset or 1
        return SourceError(f"cannot parse: {error.msg}", max(line, 1), max(column, 1))
    return SourceError(f"cannot parse: {error}")
