"""What a trainer does behind a method that it calls for every batch."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...program import Block, Emit, Try, walk
from ...vocabulary.frameworks import STEPPED_BEHIND
from ..event import Consume, Deposit, Escape, Event, HandOver, UnreadCall, Zero
from ..objects.classes import Classes
from ..scopes.scope import Definition
from .emitter import Emitter


class TrainerSteps:
    """Lets the step of the trainer follow such a method, where the method clears by itself."""

    def __init__(self, classes: Classes, emitter: Emitter) -> None:
        self._classes = classes
        self._emitter = emitter

    def around(self, definition: Definition, body: Block) -> Block:
        """The body of a function, with what its caller does behind it if that is known."""
        node, owner = definition.node, definition.scope.within
        known = STEPPED_BEHIND.get(definition.function.name)
        if known is None or owner is None or not isinstance(node, cst.FunctionDef):
            return body
        if not any(base in known for base in self._classes.foreign_bases(owner)):
            return body
        behind = [
            step for zero in _cleared_after(body) for step in self._applied(zero, node, definition)
        ]
        return [Try(body, (), [], behind)] if behind else body

    def _applied(self, zero: Zero, node: cst.FunctionDef, definition: Definition) -> Block:
        """The trainer applies what its optimizer, or the network it gives, holds."""
        subject, scope = zero.subject, definition.scope
        assert subject is not None
        assert scope.within is not None
        given = list(scope.parameters)[1:2]
        owned = subject.root == scope.within.instance and subject.path in (
            ("optimizer",),
            ("model",),
        )
        if not owned and not (subject.scope == scope.id and [subject.name] == given):
            return []
        step = Consume(by_trainer=True)
        applied = self._emitter.emit(step, (subject,), node.name, node.name)
        step.spelling = zero.spelling
        return applied


def _cleared_after(body: Block) -> Iterator[Zero]:
    """The zeroings of a method that runs a backward without a loss scaler of its own.

    What is not read may run another backward behind a zeroing: `super().training_step(…)`.
    """
    events = [s.event for s in walk(body) if isinstance(s, Emit) and isinstance(s.event, Event)]
    deposits = [event for event in events if isinstance(event, Deposit)]
    zeros = [event for event in events if isinstance(event, Zero) and event.subject is not None]
    if not deposits or not zeros or any(deposit.scaler is not None for deposit in deposits):
        return
    behind = events[events.index(zeros[0]) :]
    if not any(isinstance(event, Escape | HandOver | UnreadCall) for event in behind):
        yield from zeros
