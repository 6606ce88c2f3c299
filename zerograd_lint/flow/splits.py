"""Tests: on which paths they hold, and on which they do not."""

from __future__ import annotations

from typing import Any, Generic

from ..program import Atom, Both, Condition, Constant, Environment, Not, seen_from
from .facts import Facts, learn
from .machine import State
from .memo import Memo
from .paths import AllPaths, Path, Paths
from .recall import Recall

_NONE: frozenset[Path[Any]] = frozenset()
_Behind = tuple[Facts | None, Facts | None]
"""What is known where a test holds, and where it does not; None where that cannot be."""


class Splits(Generic[State]):
    """Splits paths by the answers to tests.

    Only answers to tests that are asked more than once are remembered; those that are assumed
    are the same on all paths.
    """

    def __init__(self, all_paths: AllPaths[State], recall: Recall) -> None:
        self._all_paths = all_paths
        self._worth_knowing = recall.tests
        self._assumed = recall.assumed
        self._behind: dict[int, tuple[Atom, Memo[Facts, _Behind]]] = {}
        self._outermost = Environment()
        self.asked: set[str | None] = set()
        """The keys of all tests that were asked."""

    def split(
        self, condition: Condition, paths: Paths[State], environment: Environment
    ) -> tuple[Paths[State], Paths[State]]:
        """The paths on which the condition holds and those on which it does not."""
        match condition:
            case Atom():
                return self._ask(condition, paths, environment)
            case Not(operand):
                holds, fails = self.split(operand, paths, environment)
                return fails, holds
            case Both(left, right):
                first, not_first = self.split(left, paths, environment)
                both, not_second = self.split(right, first, environment)
                return both, not_first | not_second
            case Constant(value):
                return (paths, _NONE) if value else (_NONE, paths)

    def _ask(
        self, test: Atom, paths: Paths[State], environment: Environment
    ) -> tuple[Paths[State], Paths[State]]:
        atom = self._seen_from(test, environment)
        if not isinstance(atom, Atom):
            return self.split(atom, paths, self._outermost)
        given = self._assumed.get(atom.key)
        if given is not None:
            return (paths, _NONE) if given else (_NONE, paths)
        if atom.key not in self._worth_knowing and not atom.once_of:
            return paths, paths
        behind = self._facts_behind(atom)
        holds, fails = set(), set()
        for path in paths:
            true, false = behind[path.facts]
            if true is not None:
                holds.add(path.standing[true])
            if false is not None:
                fails.add(path.standing[false])
        return frozenset(holds), frozenset(fails)

    def _facts_behind(self, atom: Atom) -> Memo[Facts, _Behind]:
        # By identity: equal tests may be spelt in different places, and ask about other rounds.
        known = self._behind.get(id(atom))
        if known is None:
            one = self._all_paths.facts

            def learnt(facts: Facts, value: bool) -> Facts | None:
                after = learn(facts, atom, value)
                return None if after is None else one(after)

            def behind(facts: Facts) -> _Behind:
                return learnt(facts, True), learnt(facts, False)

            known = self._behind[id(atom)] = atom, Memo(behind)
        return known[1]

    def _seen_from(self, test: Atom, environment: Environment) -> Condition:
        """The test as the outermost function would ask it, worked out once per environment."""
        known = environment.asked.get(id(test))
        if known is None:
            known = environment.asked[id(test)] = seen_from(test, environment)
            if isinstance(known, Atom):
                self.asked.add(known.key)
        return known
