"""What a machine answers about paths, remembered.

A machine answers the same question in the same way every time, so it is asked once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic

from ..program import Environment, Loop, Ref
from .facts import Facts, by_root, forget
from .machine import Machine, State
from .memo import Memo
from .paths import AllPaths, Paths, Standing

Moves = Memo[Standing[State], Standing[State]]
"""Where paths stand, and where something leads them."""


class Answers(Generic[State]):
    """Asks a machine where paths lead, and remembers each answer."""

    def __init__(self, machine: Machine[State], all_paths: AllPaths[State]) -> None:
        self._machine = machine
        self._all_paths = all_paths
        self._steps: dict[Hashable, Moves[State]] = {}
        self._rebound: dict[Hashable, tuple[Moves[State], Memo[Facts, Facts]]] = {}
        self._entered = self._moves(machine.entered)
        self._repeated = self._moves(machine.repeated)
        self._left = self._moves(machine.left)
        self._unknown = self._moves(machine.unknown)

    def _moves(self, move: Callable[[State], State]) -> Moves[State]:
        standings = self._all_paths.standing

        def there(standing: Standing[State]) -> Standing[State]:
            return standings(move(standing.state), rare=standing.rare)

        return Memo(there)

    def step(self, event: object, paths: Paths[State], environment: Environment) -> Paths[State]:
        """The paths after an event."""
        key = (event, environment.key)
        known = self._steps.get(key)
        if known is None:
            step, standings = self._machine.step, self._all_paths.standing

            def there(standing: Standing[State]) -> Standing[State]:
                rare = standing.rare
                return standings(step(standing.state, event, environment, rare=rare), rare=rare)

            known = self._steps[key] = Memo(there)
        return _moved(paths, known)

    def rebind(
        self, refs: frozenset[Ref], paths: Paths[State], environment: Environment
    ) -> Paths[State]:
        """The paths after names were given another value."""
        key = (refs, environment.key)
        known = self._rebound.get(key)
        if known is None:
            changed = by_root(refs.union(map(environment.resolve, refs)))
            rebound, one = self._machine.rebound, self._all_paths.facts

            def renewed(state: State) -> State:
                return rebound(state, refs, environment)

            def kept(facts: Facts) -> Facts:
                return one(forget(facts, changed))

            known = self._rebound[key] = self._moves(renewed), Memo(kept)
        moves, facts = known
        return frozenset([moves[path.standing][facts[path.facts]] for path in paths])

    def runs_once(self, loop: Loop, environment: Environment) -> bool:
        """Whether the loop runs once, or visits what is tracked once, as one of many."""
        return loop.once or any(
            self._machine.walks(collection, environment) for collection in loop.each
        )

    def enter_loop(self, paths: Paths[State]) -> Paths[State]:
        return _moved(paths, self._entered)

    def repeat_loop(self, paths: Paths[State]) -> Paths[State]:
        return _moved(paths, self._repeated)

    def leave_loop(self, paths: Paths[State]) -> Paths[State]:
        return _moved(paths, self._left)

    def unknown(self, paths: Paths[State]) -> Paths[State]:
        """The paths after something that cannot be followed."""
        return _moved(paths, self._unknown)


def _moved(paths: Paths[State], moves: Moves[State]) -> Paths[State]:
    return frozenset([moves[path.standing][path.facts] for path in paths])
