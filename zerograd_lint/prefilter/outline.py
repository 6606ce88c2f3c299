"""A file as Python's own parser sees it, each part worked out when first asked for."""

from __future__ import annotations

import ast
from functools import cached_property

from ..files import python_parser
from ..vocabulary.calls import Effect
from .call_graph import CallGraph
from .excerpt import split_lines
from .units import Units, take_apart


class Outline:
    """The text of a file with its `ast` and its units; the parser's errors come out of `tree`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.read_for: tuple[frozenset[str], Effect] | None = None
        """For which names and effects it was found out what its units could do."""

    @cached_property
    def lines(self) -> list[str]:
        return split_lines(self.text)

    @cached_property
    def tree(self) -> ast.Module:
        return python_parser.parse(self.text)

    @cached_property
    def is_valid(self) -> bool:
        """Whether the parser can read it."""
        try:
            return bool(self.tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False

    @cached_property
    def units(self) -> Units:
        return take_apart(self.tree, self.lines)

    @cached_property
    def graph(self) -> CallGraph:
        """Which units may run which."""
        return CallGraph(self.units)
