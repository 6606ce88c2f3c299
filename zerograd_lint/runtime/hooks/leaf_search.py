"""Searches the graph of a loss for parameters that no optimizer has made known."""

from __future__ import annotations

from collections.abc import Sequence

from ..books.account_book import AccountBook
from ..call_sites import CallChain
from ..judging.autograd_graph import leaves
from .failure_guard import NotJudgeable

_GRAPHS_READ = 3
"""So often, then ever more rarely, is one line's graph searched."""


class LeafSearch:
    """Opens accounts for the leaves of a graph; one line's graphs are mostly alike."""

    def __init__(self, book: AccountBook, *, always: bool) -> None:
        self._book = book
        self._always = always
        self._passes_at: dict[CallChain, int] = {}

    def search(self, call: CallChain, roots: Sequence[object]) -> None:
        """A backward pass from these roots begins at this call."""
        passes = self._passes_at[call] = self._passes_at.get(call, 0) + 1
        is_power_of_two = not passes & (passes - 1)
        if passes <= _GRAPHS_READ or is_power_of_two or self._always:
            for leaf in leaves(roots):
                if leaf.is_meta:
                    raise NotJudgeable("gradients on the meta device hold no numbers to judge")
                self._book.account_of(leaf)

    def search_again(self, call: CallChain) -> None:
        """The pass reached nothing known: another model had its turn."""
        self._passes_at[call] = 0
