"""Which events an entry point can run, and what the parameters stand for there."""

from __future__ import annotations

from ...events.event import Event
from ...program import Environment, Ref


class Census:
    """An automaton without states that collects the events an entry point can run."""

    def __init__(self) -> None:
        self.seen: dict[Event, Environment] = {}
        """The events, each with the environment it was first met in."""

    def step(self, state: None, event: object, environment: Environment, *, rare: bool) -> None:
        if isinstance(event, Event):
            self.seen.setdefault(event, environment)
        return

    def rebound(self, state: None, refs: frozenset[Ref], environment: Environment) -> None:
        return None

    def entered(self, state: None) -> None:
        return None

    repeated = left = unknown = entered

    def walks(self, collection: Ref, environment: Environment) -> bool:
        return False
