"""Loops: run at least once, and round again until nothing new turns up.

Only a loop whose every path raises is there to be passed by.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic

from ..program import Environment, JumpKind, Loop
from .answers import Answers
from .exceptions import Exceptions
from .exits import Exits, Run
from .generators import Generators
from .machine import State
from .paths import Path, Paths, bounded

_MOST_AT_ONCE = 3
"""Loops inside as many others are run path by path, and what became of each is remembered.

Each of them goes round at least twice for every round of the one outside: a search over a grid of
ten settings would run its training loop a thousand times, nearly always on paths seen before.
"""


class Loops(Generic[State]):
    """Follows loops and their back edges to a fixed point."""

    def __init__(
        self,
        run: Run[State],
        answers: Answers[State],
        exceptions: Exceptions[State],
        generators: Generators[State],
    ) -> None:
        self._run = run
        self._answers = answers
        self._exceptions = exceptions
        self._generators = generators
        self._running = 0
        self._rounds_of: dict[Hashable, tuple[Exits[State], Paths[State]]] = {}
        """Where one round leads a path: out of the body, or thrown."""

    def follow(self, loop: Loop, paths: Paths[State], environment: Environment) -> Exits[State]:
        if self._answers.runs_once(loop, environment):
            exits = self._run(loop.body, paths, environment)
            ended = exits.normal | exits.take(JumpKind.CONTINUE)
        else:
            exits = Exits()
            ended = self._rounds(loop, paths, environment, exits)
            if exits.jumps.keys() == {JumpKind.RAISE} and not ended:
                ended = paths  # `for name in unknown: raise`: what goes on has found none
        broken = exits.take(JumpKind.BREAK)
        if loop.endless:
            ended = frozenset()
        exits.normal = exits.absorb(self._run(loop.orelse, ended, environment)) | broken
        return exits

    def _rounds(
        self, loop: Loop, paths: Paths[State], environment: Environment, exits: Exits[State]
    ) -> Paths[State]:
        """Go round until nothing new turns up. Whichever way a path gets out, it has left."""
        answers = self._answers
        self._exceptions.begin()
        fresh = seen = answers.enter_loop(paths)
        ended: Paths[State] = frozenset()
        while fresh:
            result = self._round(loop, fresh, environment)
            round_trip = result.normal | result.take(JumpKind.CONTINUE)
            ended |= round_trip
            for kind, leaving in result.jumps.items():
                exits.add(kind, answers.leave_loop(leaving))
            again = bounded(answers.repeat_loop(round_trip))
            fresh = again - seen
            seen |= fresh
        self._exceptions.note(answers.leave_loop(self._exceptions.end()))
        return answers.leave_loop(ended)

    def _round(self, loop: Loop, paths: Paths[State], environment: Environment) -> Exits[State]:
        """One round of a loop."""
        self._running += 1
        # What a generator's loop does depends on what consumes it.
        if self._running <= _MOST_AT_ONCE or self._generators.is_consumed:
            exits = self._run(loop.body, paths, environment)
        else:
            exits = Exits()
            for path in paths:
                key = (loop, environment.key, path, self._exceptions.can_be_caught)
                if key not in self._rounds_of:
                    self._rounds_of[key] = self._round_of(loop, path, environment)
                led, thrown = self._rounds_of[key]
                exits.normal |= exits.absorb(led)
                self._exceptions.note(thrown)
        self._running -= 1
        return exits

    def _round_of(
        self, loop: Loop, path: Path[State], environment: Environment
    ) -> tuple[Exits[State], Paths[State]]:
        self._exceptions.begin()
        exits = self._run(loop.body, frozenset({path}), environment)
        return exits, self._exceptions.end()
