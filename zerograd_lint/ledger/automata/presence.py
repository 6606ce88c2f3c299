"""Whether a gradient buffer exists: None until the first backward, and after some zeroings."""

from __future__ import annotations

import enum
from typing import NamedTuple

from ...events.event import (
    Ask,
    Create,
    Deposit,
    Escape,
    Event,
    HandOver,
    UnreadCall,
    Zero,
    needs_buffer,
)
from ...program import Environment, Ref
from ..places import Places
from ..reach import OwnerReach, Reach
from .call_boundary import CallBoundary


class Buffer(enum.Enum):
    """Whether a buffer is None, and since when."""

    NEVER_FILLED = "never filled"
    UNTOUCHED = "untouched since it came from outside"
    SET_TO_NONE = "set to none"
    FILLED = "filled"
    UNKNOWN = "unknown"

    __hash__ = object.__hash__  # states are looked up all the time


class Presence(NamedTuple):
    """The state of one owner's buffers on one path."""

    buffer: Buffer = Buffer.UNKNOWN
    emptied: Zero | None = None
    """The zeroing that set it to None."""
    came_round: bool = False
    """A loop has gone round since the buffer was last filled."""
    across_calls: bool = False
    """The path leads out of the function and into its next call."""


class PresenceLog:
    """Follows one owner's buffers and writes down how they stood wherever they are needed."""

    def __init__(self, reach: OwnerReach, places: Places) -> None:
        self.owner = reach.owner
        self._places = places
        self._reach = reach
        self.noted: dict[Event, set[Presence]] = {}
        self.arrivals: dict[Event, list[Presence]] = {}
        """What was noted, in the order of the program."""
        self.filled = False
        """Some backward fills them."""

    def may_be_wrong(self) -> bool:
        known = (Buffer.FILLED, Buffer.UNKNOWN)
        return any(s.buffer not in known for states in self.noted.values() for s in states)

    def is_always_reached(self, event: Event) -> bool:
        """Whether no test, and no handler of errors, stands around it on its only way."""
        place = self._places.of(event)
        return place is not None and not place.conditional and not event.site.caught

    def missing(self, event: Event) -> list[Presence]:
        """The states in which the buffer is None at an event, at its first pass.

        Of what comes from outside this is said where a loop trains it: a new network has none.
        """
        states = self.arrivals[event]
        none = {Buffer.NEVER_FILLED, Buffer.SET_TO_NONE}
        if any(state.buffer is Buffer.FILLED and state.came_round for state in states):
            none.add(Buffer.UNTOUCHED)
        return [state for state in states if state.buffer in none]

    def step(
        self, state: Presence, event: object, environment: Environment, *, rare: bool
    ) -> Presence:
        if isinstance(event, CallBoundary):
            return state._replace(across_calls=True)
        assert isinstance(event, Event)
        if needs_buffer(event) and not rare and event.subject is not None:
            if environment.resolve(event.subject) == self.owner.ref:
                self.noted.setdefault(event, set()).add(state)
        return self._after(state, event, environment)

    def _after(self, state: Presence, event: Event, environment: Environment) -> Presence:
        reach = self._reach.of(event, environment)
        match event:
            case Deposit() if reach is not Reach.NONE:
                self.filled = True
                return Presence(Buffer.FILLED, across_calls=state.across_calls)
            case Zero() if event.leaves_none and reach is Reach.ALL:
                return state._replace(buffer=Buffer.SET_TO_NONE, emptied=event)
            case Zero() if event.by_hand and not needs_buffer(event) and reach is Reach.ALL:
                return Presence(Buffer.FILLED, across_calls=state.across_calls)
            case Zero() if event.leaves_none and reach is Reach.UNSURE:
                return self.unknown(state)
            case Create() if reach is Reach.ALL:
                return Presence(Buffer.NEVER_FILLED, across_calls=state.across_calls)
            case Escape() | HandOver() | Ask() | UnreadCall() if reach is not Reach.NONE:
                return self.unknown(state)
        return state

    def rebound(self, state: Presence, refs: frozenset[Ref], environment: Environment) -> Presence:
        # A new optimizer over the same parameters finds their gradients as they are.
        parts = self.owner.covers or (self.owner.ref,)
        resolved = [environment.resolve(ref) for ref in refs]
        if any(ref.contains(part) for ref in resolved for part in parts):
            return Presence()
        return state

    def entered(self, state: Presence) -> Presence:
        return state

    def repeated(self, state: Presence) -> Presence:
        return state._replace(came_round=True)

    def left(self, state: Presence) -> Presence:
        return state

    def unknown(self, state: Presence) -> Presence:
        return Presence(Buffer.UNKNOWN)

    def walks(self, collection: Ref, environment: Environment) -> bool:
        return self.owner.is_part_of(environment.resolve(collection))
