"""What a machine answers about paths, remembered.

A machine answers the same question in the same way every time, so it is asked once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic

from ..program import Environment, Loop, Ref
from .facts import Facts, forget
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
        self.forget()

    def forget(self) -> None:
        """Drop what was remembered."""
        self._steps: dict[Hashable, Moves[State]] = {}
        self._rebound: dict[Hashable, tuple[Moves[State], Memo[Facts, Facts]]] = {}
        machine = self._machine
        self._entered = self._moves(machine.entered)
        self._repeated = self._moves(machine.repeated)
        self._left = self._moves(machine.left)
        self._unknown = self._moves(machine.unknown)

    def _moves(self, move: Callable[[State], State]) -> Moves[State]:
        def there(standing: Standing[State]) -> Standing[State]:
            return self._all_paths.standing(move(standing.state), rare=standing.rare)

        return Memo(there)

    def step(self, event: object, paths: Paths[State], environment: Environment) -> Paths[State]:
        """The paths after an event."""
        key = (event, environment.key)
        known = self._steps.get(key)
        if known is None:

            def there(standing: Standing[State]) -> Standing[State]:
                rare = standing.rare
                state = self._machine.step(standing.state, event, environment, rare=rare)
                return self._all_paths.standing(state, rare=rare)

            known = self._steps[key] = Memo(there)
        return _moved(paths, known)

    def rebind(
        self, refs: frozenset[Ref], paths: Paths[State], environment: Environment
    ) -> Paths[State]:
        """The paths after names were given another value."""
        key = (refs, environment.key)
        known = self._rebound.get(key)
        if known is None:
            changed = refs.union(map(environment.resolve, refs))

            def renewed(state: State) -> State:
                return self._machine.rebound(state, refs, environment)

            def kept(facts: Facts) -> Facts:
                return self._all_paths.facts(forget(facts, changed))

            known = self._rebound[key] = self._moves(renewed), Memo(kept)
        moves, facts = known
        return frozenset({moves[path.standing][facts[path.facts]] for path in paths})

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
    return frozenset({moves[path.standing][path.facts] for path in paths})
