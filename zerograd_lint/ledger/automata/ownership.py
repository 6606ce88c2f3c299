"""Whether an optimizer still owns the parameters of the modules it was built over."""

from __future__ import annotations

from typing import NamedTuple

from ...events.event import Consume, Escape, Extend, NewPart
from ...program import Environment, Ref
from ..reach import OwnerReach, Reach


class Ownership(NamedTuple):
    """What one optimizer owns on one path."""

    built: bool = False
    """It was made on this path."""
    unowned: NewPart | None = None
    """A part of its modules that was made after it."""


class OwnershipLog:
    """Follows one optimizer and writes down what it does not own at each of its steps."""

    def __init__(self, reach: OwnerReach) -> None:
        self.owner = reach.owner
        self._reach = reach
        self.arrivals: dict[Consume, set[Ownership]] = {}

    def may_be_wrong(self) -> bool:
        return any(state.unowned for states in self.arrivals.values() for state in states)

    def step(
        self, state: Ownership, event: object, environment: Environment, *, rare: bool
    ) -> Ownership:
        match event:
            case NewPart() if state.built and self._covers(event, environment):
                return state._replace(unowned=event)
            case Extend() | Escape() if self._reach.of(event, environment) is not Reach.NONE:
                return Ownership()
            case Consume(subject=Ref() as subject) if not rare:
                if environment.resolve(subject) == self.owner.ref:
                    self.arrivals.setdefault(event, set()).add(state)
        return state

    def _covers(self, event: NewPart, environment: Environment) -> bool:
        if event.subject is None:
            return False
        part = environment.resolve(event.subject)
        return any(module.contains(part) for module in self.owner.covers or ())

    def rebound(
        self, state: Ownership, refs: frozenset[Ref], environment: Environment
    ) -> Ownership:
        made = any(environment.resolve(ref).contains(self.owner.ref) for ref in refs)
        return Ownership(built=True) if made else state

    def entered(self, state: Ownership) -> Ownership:
        return state

    repeated = left = entered

    def unknown(self, state: Ownership) -> Ownership:
        return Ownership()

    def walks(self, collection: Ref, environment: Environment) -> bool:
        return False
