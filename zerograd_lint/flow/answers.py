"""What a machine answers about paths, remembered.

A machine answers the same question in the same way every time, so it is asked once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic

from ..program import Environment, Loop, Ref
from .machine import Machine, State
from .paths import Facts, Path, Paths, forget

Known = dict[Path[State], Path[State]]
"""Paths and what has become of them."""


class Answers(Generic[State]):
    """Asks a machine where paths lead, and remembers each answer."""

    def __init__(self, machine: Machine[State]) -> None:
        self._machine = machine
        self.forget()

    def forget(self) -> None:
        """Drop what was remembered."""
        self._steps: dict[Hashable, dict[tuple[State, bool], tuple[State, ...]]] = {}
        self._rebound: dict[Hashable, tuple[Known[State], dict[Facts, Facts]]] = {}
        self._entered: Known[State] = {}
        self._repeated: Known[State] = {}
        self._left: Known[State] = {}
        self._unknown: Known[State] = {}

    def step(self, event: object, paths: Paths[State], environment: Environment) -> Paths[State]:
        """The paths after an event."""
        known = self._steps.setdefault((event, environment.key), {})
        reached: set[Path[State]] = set()
        for path in paths:
            states = known.get((path.state, path.rare))
            if states is None:
                states = tuple(self._machine.step(path.state, event, environment, rare=path.rare))
                known[path.state, path.rare] = states
            for state in states:
                reached.add(Path(state, path.facts, path.rare))
        return frozenset(reached)

    def rebind(
        self, refs: frozenset[Ref], paths: Paths[State], environment: Environment
    ) -> Paths[State]:
        """The paths after names were given another value."""
        known, kept = self._rebound.setdefault((refs, environment.key), ({}, {}))

        def renewed(path: Path[State]) -> Path[State]:
            state = self._machine.rebound(path.state, refs, environment)
            facts = kept.get(path.facts)
            if facts is None:
                changed = refs.union(map(environment.resolve, refs))
                facts = kept[path.facts] = forget(path.facts, changed)
            return Path(state, facts, path.rare)

        return _each(paths, renewed, known)

    def runs_once(self, loop: Loop, environment: Environment) -> bool:
        """Whether the loop runs once, or visits what is tracked once, as one of many."""
        return loop.once or any(
            self._machine.walks(collection, environment) for collection in loop.each
        )

    def enter_loop(self, paths: Paths[State]) -> Paths[State]:
        return _moved(paths, self._machine.entered, self._entered)

    def repeat_loop(self, paths: Paths[State]) -> Paths[State]:
        return _moved(paths, self._machine.repeated, self._repeated)

    def leave_loop(self, paths: Paths[State]) -> Paths[State]:
        return _moved(paths, self._machine.left, self._left)

    def unknown(self, paths: Paths[State]) -> Paths[State]:
        """The paths after something that cannot be followed."""
        return _moved(paths, self._machine.unknown, self._unknown)


def _moved(
    paths: Paths[State], move: Callable[[State], State], known: Known[State]
) -> Paths[State]:
    def moved(path: Path[State]) -> Path[State]:
        return Path(move(path.state), path.facts, path.rare)

    return _each(paths, moved, known)


def _each(
    paths: Paths[State], change: Callable[[Path[State]], Path[State]], known: Known[State]
) -> Paths[State]:
    after: set[Path[State]] = set()
    for path in paths:
        there = known.get(path)
        if there is None:
            there = known[path] = change(path)
        after.add(there)
    return frozenset(after)
