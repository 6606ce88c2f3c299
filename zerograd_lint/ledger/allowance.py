"""How many steps the automata may take through one file."""

from __future__ import annotations

from collections.abc import Callable, Set

from ..flow.explore import Explorer
from ..flow.machine import Machine, State
from ..flow.recall import Recall
from ..program import Function

_ONE = 200_000
"""Steps one automaton may take through one entry point."""
_ALL = 500_000
"""Steps all automata together may take, apart from the least that each may."""
_LEAST = 2_000
"""Steps any of them may take: many times what an ordinary training function needs."""
_FIRST = 40_000
"""Steps of a first try, of which it is not known that it will do.

Where it does not, the second takes up to five times as many."""


class Allowance:
    """The steps left to the automata of one file."""

    def __init__(self) -> None:
        self._one = _ONE
        self._all = _ALL

    @property
    def spent(self) -> int:
        """The steps that all automata have taken."""
        return _ALL - self._all

    def explore(
        self,
        machine: Machine[State],
        root: Function,
        recall: Recall,
        start: State,
        *,
        first_try_until: Callable[[], bool] | None = None,
    ) -> Set[str | None]:
        """Run an automaton through an entry point; `BudgetSpent` where that takes too long.

        A first try may take fewer steps, and ends with `Enough` soon after it is of no more use.
        Comes back with the keys of the tests that were asked on the way.
        """
        most = min(self._one, self._all, _FIRST if first_try_until is not None else _ONE)
        explorer = Explorer(machine, recall, max(most, _LEAST), first_try_until)
        try:
            explorer.explore(root, start)
        finally:
            self._all -= explorer.spent
        return explorer.asked

    def cut(self) -> None:
        """Halve the steps of one automaton: other entry points often lead into the same knot."""
        self._one //= 2
