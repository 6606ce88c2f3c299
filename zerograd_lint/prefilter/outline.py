"""A file as Python's own parser sees it, each part worked out when first asked for."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

from ..files import python_parser
from ..vocabulary.calls import Effect
from .call_graph import CallGraph
from .code import Code
from .excerpt import Excerpt, split_lines, unparsed
from .reparse import Change
from .units import Unit, Units, take_apart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .call_words import CallWords
    from .marked_blocks import BlockReader


class Remains(NamedTuple):
    """What a later version of a file can take over from an earlier one."""

    lines: list[str]
    tree: ast.Module
    codes: Mapping[str, Code]


class Outline:
    """The text of a file with its `ast` and its units; the parser's errors come out of `tree`."""

    def __init__(self, text: str, earlier: Remains | None = None) -> None:
        self.text = text
        self.read_for: tuple[frozenset[str], Effect] | None = None
        """For which names and effects it was found out what its units could do."""
        self.block_readers: dict[tuple[Unit, CallWords], BlockReader | None] = {}
        """The blocks of the units that have been read, by the words they were read for."""
        self._earlier = earlier
        self.error: Exception | None = None
        """Why it could not be parsed."""

    @cached_property
    def lines(self) -> list[str]:
        return split_lines(self.text)

    @cached_property
    def tree(self) -> ast.Module:
        if self.error is not None:
            raise self.error
        try:
            if self._change is not None:
                return self._change.parse()
            return python_parser.parse(self.text)
        except Exception as error:
            self.error = error
            raise

    @cached_property
    def _change(self) -> Change | None:
        earlier = self._earlier
        return Change(earlier.lines, earlier.tree, self.lines) if earlier is not None else None

    @property
    def broken_part(self) -> Excerpt | None:
        """The part in which all errors must be, if it is known that there are any."""
        if self.error is None or self._change is None:
            return None
        return unparsed(self.lines, self._change.line)

    @cached_property
    def is_valid(self) -> bool:
        """Whether the parser can read it."""
        try:
            return bool(self.tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False

    @cached_property
    def units(self) -> Units:
        known = self._earlier.codes if self._earlier is not None else MappingProxyType({})
        return take_apart(self.tree, self.lines, known)

    @cached_property
    def graph(self) -> CallGraph:
        """Which units may run which."""
        return CallGraph(self.units)

    @property
    def remains(self) -> Remains | None:
        """What the next version can take over; of one that cannot be parsed, what it got itself."""
        if not self.is_valid:
            return self._earlier
        return Remains(self.lines, self.tree, self.units.codes)
