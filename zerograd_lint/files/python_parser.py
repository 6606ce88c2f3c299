"""Python's own parser, without its warnings about odd but valid code."""

from __future__ import annotations

import ast
import warnings


def parse(text: str) -> ast.Module:
    """The `ast` of a module; raises what `ast.parse` raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)
