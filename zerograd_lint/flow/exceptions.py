"""Exceptions: which paths a `try` may see thrown, and where they go on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic

from ..program import Environment, JumpKind, Try
from .exits import Exits, Run
from .facts import NO_FACTS
from .machine import State
from .paths import AllPaths, Path, Paths


class Exceptions(Generic[State]):
    """Follows `try` statements. Anything that happens in one may throw, before or after it."""

    def __init__(self, run: Run[State], all_paths: AllPaths[State]) -> None:
        self._run = run
        self._all_paths = all_paths
        self._thrown: list[set[Path[State]]] = []
        """What each `try` being run could throw: the innermost last."""

    @property
    def can_be_caught(self) -> bool:
        """Some `try` is being run, so what is thrown has to be noted."""
        return bool(self._thrown)

    def note(self, paths: Iterable[Path[State]]) -> None:
        """An exception may leave from here."""
        if self._thrown:
            self._thrown[-1].update(paths)

    def begin(self) -> None:
        """Note what is thrown from here on separately, until `end`."""
        if self._thrown:
            self._thrown.append(set())

    def end(self) -> Paths[State]:
        """What was thrown since `begin`; the surrounding `try` has not been given it yet."""
        return frozenset(self._thrown.pop()) if self._thrown else frozenset()

    def follow(self, statement: Try, paths: Paths[State], environment: Environment) -> Exits[State]:
        self._thrown.append(set(paths))
        attempt = self._run(statement.body, paths, environment)
        thrown = self._thrown.pop() | attempt.take(JumpKind.RAISE)
        if not statement.handlers:
            self.note(thrown)
        exits: Exits[State] = Exits()
        done = exits.absorb(attempt)
        done = exits.absorb(self._run(statement.orelse, done, environment))
        states = {path.state for path in thrown}
        caught = frozenset(self._all_paths.standing(s, rare=True)[NO_FACTS] for s in states)
        for handler in statement.handlers:
            done |= exits.absorb(self._run(handler, caught, environment))
        exits.normal = done
        return self._finally(statement, exits, environment) if statement.final else exits

    def _finally(
        self, statement: Try, exits: Exits[State], environment: Environment
    ) -> Exits[State]:
        """Every way out leads through the last block, and goes on from there as it would have."""
        finished: Exits[State] = Exits()
        finished.normal = finished.absorb(self._run(statement.final, exits.normal, environment))
        for kind, jumping in exits.jumps.items():
            cleaned_up = finished.absorb(self._run(statement.final, jumping, environment))
            finished.add(kind, cleaned_up)
        return finished
