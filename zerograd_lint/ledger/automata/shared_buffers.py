"""Whether a buffer that is given to another owner still holds what was given before."""

from __future__ import annotations

import enum
from typing import NamedTuple

from ...events.event import Deposit, Escape, Event, Share, Zero
from ...program import Environment, Ref
from ..reach import OwnerReach, Reach
from .call_boundary import CallBoundary


class Content(enum.Enum):
    """What the buffer holds: nothing that was given before, only that, that and more, unknown."""

    NEW = "new"
    GIVEN = "given"
    GROWN = "grown"
    UNKNOWN = "unknown"

    __hash__ = object.__hash__  # states are looked up all the time


class SharedState(NamedTuple):
    """The buffer of the owner that gives, on one path."""

    content: Content = Content.NEW
    since: Share | None = None
    """Where it was given to the other owner."""
    left_loop: bool = False
    """A loop has been left since then."""
    across_calls: bool = False
    """The path leads out of the function and into its next call."""


class SharedLog:
    """Follows an owner whose buffers are given to another, and notes how they stand there."""

    def __init__(self, reach: OwnerReach) -> None:
        self.owner = reach.owner
        self._reach = reach
        self.noted: dict[Share, set[SharedState]] = {}
        self.arrivals: dict[Share, list[SharedState]] = {}
        """What was noted, in the order of the program."""

    def may_be_wrong(self) -> bool:
        grown = Content.GROWN
        return any(s.content is grown for states in self.noted.values() for s in states)

    def step(
        self, state: SharedState, event: object, environment: Environment, *, rare: bool
    ) -> SharedState:
        if isinstance(event, CallBoundary):
            return state._replace(across_calls=True)
        assert isinstance(event, Event)
        return self._after(state, event, environment, rare)

    def _after(
        self, state: SharedState, event: Event, environment: Environment, rare: bool
    ) -> SharedState:
        reach = self._reach.of(event, environment)
        match event:
            case Share() if reach is Reach.ALL:
                if not rare:
                    self.noted.setdefault(event, set()).add(state)
                return SharedState(Content.GIVEN, event)
            case Deposit() if event.replaces and reach is not Reach.NONE:
                return self.unknown(state)
            case Deposit() if reach is Reach.ALL and state.content is Content.GIVEN:
                return state._replace(content=Content.GROWN)
            case Zero() if reach is Reach.ALL:
                return state._replace(content=Content.NEW)
            case Zero() if reach is Reach.UNSURE or not event.leaves_none:
                # In place, clearing the owner it was given to clears the buffer they share.
                return self.unknown(state)
            case Escape() if reach is not Reach.NONE:
                return self.unknown(state)
        return state

    def rebound(
        self, state: SharedState, refs: frozenset[Ref], environment: Environment
    ) -> SharedState:
        if any(environment.resolve(ref).contains(self.owner.ref) for ref in refs):
            return SharedState()
        return state

    def entered(self, state: SharedState) -> SharedState:
        return state

    repeated = entered

    def left(self, state: SharedState) -> SharedState:
        return state._replace(left_loop=True)

    def unknown(self, state: SharedState) -> SharedState:
        return state._replace(content=Content.UNKNOWN)

    def walks(self, collection: Ref, environment: Environment) -> bool:
        return self.owner.is_part_of(environment.resolve(collection))
