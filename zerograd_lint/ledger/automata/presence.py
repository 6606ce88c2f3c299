"""Whether a gradient buffer exists at all: it is None until the first backward, and after some
zeroings."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import NamedTuple

from ...events.event import Event, Kind
from ...program import Environment, Ref
from ..reach import Owner, Reach, Relations
from .balance import CallBoundary


class Buffer(enum.Enum):
    NEVER_FILLED = "never filled"
    SET_TO_NONE = "set to none"
    FILLED = "filled"
    UNKNOWN = "unknown"

    __hash__ = object.__hash__  # states are looked up all the time


class Presence(NamedTuple):
    buffer: Buffer = Buffer.NEVER_FILLED
    emptied: Event | None = None
    came_round: bool = False
    """A loop has gone round since the buffer was last filled."""
    across_calls: bool = False


class PresenceLog:
    """Follows one owner's buffers and writes down how they stood wherever they are needed."""

    def __init__(self, owner: Owner, relations: Relations) -> None:
        self.owner = owner
        self._relations = relations
        self.noted: dict[Event, set[Presence]] = {}
        self.arrivals: dict[Event, list[Presence]] = {}
        self.filled = False

    def step(
        self, state: Presence, event: object, environment: Environment, *, rare: bool
    ) -> Iterable[Presence]:
        if isinstance(event, CallBoundary):
            return (state._replace(across_calls=True),)
        assert isinstance(event, Event)
        if event.needs_buffer and not rare and event.subject is not None:
            if environment.resolve(event.subject) == self.owner.ref:
                self.noted.setdefault(event, set()).add(state)
        return (self._after(state, event, environment),)

    def _after(self, state: Presence, event: Event, environment: Environment) -> Presence:
        reach = self._relations.touches(event, environment, self.owner)
        match event.kind:
            case Kind.DEPOSIT if reach is not Reach.NONE:
                self.filled = True
                return Presence(Buffer.FILLED, across_calls=state.across_calls)
            case Kind.ZERO if event.leaves_none and reach is Reach.ALL:
                return state._replace(buffer=Buffer.SET_TO_NONE, emptied=event)
            case Kind.ZERO if event.by_hand and not event.needs_buffer and reach is Reach.ALL:
                return Presence(Buffer.FILLED, across_calls=state.across_calls)
            case Kind.ZERO if event.leaves_none and reach is Reach.UNSURE:
                return self.unknown(state)
            case Kind.ESCAPE if reach is not Reach.NONE:
                return self.unknown(state)
        return state

    def rebound(self, state: Presence, refs: frozenset[Ref], environment: Environment) -> Presence:
        parts = (self.owner.ref, *(self.owner.covers or ()))
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
        resolved = environment.resolve(collection)
        return any(resolved.overlaps(part) for part in (self.owner.ref, *(self.owner.covers or ())))
