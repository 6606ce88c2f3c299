"""Loops: run at least once, and round again until nothing new turns up."""

from __future__ import annotations

from typing import Generic

from ..program import Environment, JumpKind, Loop
from .answers import Answers
from .exceptions import Exceptions
from .exits import Exits, Run
from .machine import State
from .paths import Paths, bounded


class Loops(Generic[State]):
    """Follows loops and their back edges to a fixed point."""

    def __init__(
        self, run: Run[State], answers: Answers[State], exceptions: Exceptions[State]
    ) -> None:
        self._run = run
        self._answers = answers
        self._exceptions = exceptions

    def follow(self, loop: Loop, paths: Paths[State], environment: Environment) -> Exits[State]:
        if self._answers.runs_once(loop, environment):
            exits = self._run(loop.body, paths, environment)
            ended = exits.normal | exits.take(JumpKind.CONTINUE)
        else:
            exits = Exits()
            ended = self._rounds(loop, paths, environment, exits)
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
            result = self._run(loop.body, fresh, environment)
            round_trip = result.normal | result.take(JumpKind.CONTINUE)
            ended |= round_trip
            for kind, leaving in result.jumps.items():
                exits.add(kind, answers.leave_loop(leaving))
            again = bounded(answers.repeat_loop(round_trip))
            fresh = again - seen
            seen |= fresh
        self._exceptions.note(answers.leave_loop(self._exceptions.end()))
        return answers.leave_loop(ended)
