"""Trees of excerpts that were parsed before: what several files need of a module is the same."""

from __future__ import annotations

import libcst as cst

from ..prefilter.excerpt import Excerpt
from .parse import parse

_MOST_CHARACTERS = 100_000
"""Text whose trees are kept; a tree takes some hundred times as much."""


class ParsedBefore:
    """Parses each text once, as long as there is room for its tree."""

    def __init__(self) -> None:
        self._trees: dict[str, cst.Module] = {}
        self._characters = 0

    def tree(self, part: Excerpt) -> cst.Module:
        """The tree of an excerpt; `SourceError` for what cannot be parsed."""
        known = self._trees.get(part.text)
        if known is None:
            known = parse(part)
            self._characters += len(part.text)
            if self._characters > _MOST_CHARACTERS:
                self._trees.clear()
                self._characters = len(part.text)
            self._trees[part.text] = known
        return known


PARSED = ParsedBefore()
"""The one of this process."""
