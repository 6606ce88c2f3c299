"""Python's own parser, without the warnings that are the file's business and not ours."""

from __future__ import annotations

import ast
import warnings


def parse(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)
