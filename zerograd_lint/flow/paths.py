"""Paths through a program: the state reached, and the answers given to tests on the way.

Thousands of them are put into sets and looked up at every statement. So there is one object for
all that are alike, and they are compared by identity.
"""

from __future__ import annotations

from typing import Generic

from .facts import NO_FACTS, Facts
from .machine import State

MAX_PATHS = 96
"""More paths than this at one point are merged by forgetting what was learnt from tests."""


class Path(Generic[State]):
    """One way through the program up to here, as far as it matters for what comes."""

    __slots__ = ("facts", "standing")

    def __init__(self, standing: Standing[State], facts: Facts) -> None:
        self.standing = standing
        self.facts = facts
        """The answers given so far to tests that are asked again."""

    @property
    def state(self) -> State:
        return self.standing.state


class Standing(dict[Facts, Path[State]]):
    """A state that is reached, with the paths that are in it, by what is known on them."""

    __slots__ = ("rare", "state")

    def __init__(self, state: State, rare: bool) -> None:
        super().__init__()
        self.state = state
        self.rare = rare
        """It was reached through an exception handler."""

    def __missing__(self, facts: Facts) -> Path[State]:
        path = self[facts] = Path(self, facts)
        return path

    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__


Paths = frozenset[Path[State]]


class AllPaths(Generic[State]):
    """The paths of one exploration, each made once."""

    def __init__(self) -> None:
        self._standings: dict[tuple[State, bool], Standing[State]] = {}
        self._facts: dict[Facts, Facts] = {}

    def standing(self, state: State, *, rare: bool = False) -> Standing[State]:
        """Where all paths are that have reached a state."""
        key = (state, rare)
        known = self._standings.get(key)
        if known is None:
            known = self._standings[key] = Standing(state, rare)
        return known

    def facts(self, facts: Facts) -> Facts:
        """The one object for equal facts."""
        return self._facts.setdefault(facts, facts)

    def forget(self) -> None:
        """Take the paths apart: they and where they stand refer to each other."""
        for standing in self._standings.values():
            standing.clear()
        self._standings.clear()
        self._facts.clear()


def bounded(paths: Paths[State]) -> Paths[State]:
    """The same paths, merged if they are too many to follow."""
    if len(paths) <= MAX_PATHS:
        return paths
    return frozenset({path.standing[NO_FACTS] for path in paths})
