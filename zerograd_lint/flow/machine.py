"""The automaton that is run along every path: what the flow asks of it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Protocol, TypeVar

from ..program import Environment, Ref

State = TypeVar("State", bound=Hashable)


class Machine(Protocol[State]):
    """A finite automaton over events. It sees one path at a time and may take notes on the way."""

    def step(self, state: State, event: object, environment: Environment, *, rare: bool) -> State:
        """The state this event leads to; `rare` paths come from an exception."""

    def rebound(self, state: State, refs: frozenset[Ref], environment: Environment) -> State:
        """Names were given another value."""

    def entered(self, state: State) -> State:
        """A loop begins."""

    def repeated(self, state: State) -> State:
        """A loop goes round."""

    def left(self, state: State) -> State:
        """A loop ends."""

    def unknown(self, state: State) -> State:
        """Something happened that cannot be followed."""

    def walks(self, collection: Ref, environment: Environment) -> bool:
        """Whether a loop over `collection` visits what is tracked once, as one of many."""
