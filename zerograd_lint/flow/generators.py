"""Generators: wherever one suspends, the loop body that consumes it runs."""

from __future__ import annotations

from typing import Generic, NamedTuple

from ..program import Block, Environment, JumpKind, Suspend
from .answers import Answers
from .exits import Exits, Run
from .machine import State
from .paths import Paths


class Consumer(NamedTuple):
    """A loop body over what a generator yields, and the environment it runs in."""

    body: Block
    environment: Environment


class Generators(Generic[State]):
    """Follows suspensions of the functions being run to their consumers and back."""

    def __init__(self, run: Run[State], answers: Answers[State]) -> None:
        self._run = run
        self._answers = answers
        self._consumers: list[Consumer | None] = []
        """One for each call being run, the innermost last; None where nothing consumes it."""

    def begin(self, consumer: Consumer | None) -> None:
        """A call begins, and this consumes what it yields."""
        self._consumers.append(consumer)

    def end(self) -> None:
        """The call ends."""
        self._consumers.pop()

    @property
    def is_consumed(self) -> bool:
        """Whether a loop body runs wherever the function being run suspends."""
        return bool(self._consumers) and self._consumers[-1] is not None

    def follow(
        self, statement: Suspend, paths: Paths[State], environment: Environment
    ) -> Exits[State]:
        """A generator pauses: its consumer runs, or a caller that cannot be seen.

        Where a call collects what it yields, as in `list(generate())`, nothing runs in between.
        """
        if not self._consumers:
            return Exits(self._answers.unknown(paths))
        consumer = self._consumers.pop()
        exits = Exits(paths) if consumer is None else self._consume(consumer, paths)
        self._consumers.append(consumer)
        return exits

    def _consume(self, consumer: Consumer, paths: Paths[State]) -> Exits[State]:
        exits = self._run(consumer.body, paths, consumer.environment)
        exits.normal |= exits.take(JumpKind.CONTINUE)
        # To stop consuming is to end the generator.
        exits.add(JumpKind.RETURN, exits.take(JumpKind.BREAK))
        return exits
