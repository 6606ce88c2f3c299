"""The state of one owner's gradient buffers along one path.

         deposit              consume
CLEAN ───────────▶ FRESH ───────────────▶ USED
  ▲                  │ zero                 │ deposit
  │                  ▼                      ▼
  │                WIPED ── consume ✗       STALE ── consume ✗
  └──────────── zero (from USED, CLEAN)       │ zero
                                              ▼ WIPED
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import NamedTuple

from ...events.event import Event, Kind
from ...program import Environment, Ref
from ..reach import Owner, Reach, Relations


class Status(enum.Enum):
    CLEAN = "clean"
    FRESH = "fresh"
    USED = "used"
    STALE = "stale"
    WIPED = "wiped"
    UNKNOWN = "unknown"

    __hash__ = object.__hash__  # states are looked up all the time


_NOTHING: frozenset[Event] = frozenset()
_AFTER_DEPOSIT = {
    Status.CLEAN: Status.FRESH,
    Status.FRESH: Status.FRESH,
    Status.WIPED: Status.FRESH,
    Status.USED: Status.STALE,
    Status.STALE: Status.STALE,
    Status.UNKNOWN: Status.UNKNOWN,
}
_AFTER_ZERO = {
    Status.CLEAN: Status.CLEAN,
    Status.FRESH: Status.WIPED,
    Status.WIPED: Status.WIPED,
    Status.USED: Status.CLEAN,
    Status.STALE: Status.WIPED,
    Status.UNKNOWN: Status.CLEAN,
}
DEEP = 8


class Balance(NamedTuple):
    status: Status = Status.CLEAN
    since: Event | None = None
    """The consume this path started from."""
    from_empty: bool = False
    """That consume had nothing to apply."""
    fresh: frozenset[Event] = _NOTHING
    """The deposits now in the buffer, apart from used ones."""
    doubtful: frozenset[Event] = _NOTHING
    """Deposits that unseen code has had a hand in; a zeroing loses what is left of them."""
    lost: frozenset[Event] = _NOTHING
    """The deposits cleared before any step could apply them."""
    cleared: Event | None = None
    """The zeroing that lost them."""
    depth: int = 0
    """Loops entered minus loops left since `since`."""
    lowest: int = 0
    came_round: bool = False
    """A loop has gone round since the last deposit."""
    carried: bool = False
    """A loop was left with fresh deposits in the buffer."""
    piled_up: bool = False
    """One and the same backward has run more than once since the last step."""
    across_calls: bool = False
    """The path leads out of the function and into its next call."""

    @property
    def level(self) -> int:
        """How many of the loops around `since` this path has left."""
        return -self.lowest


class CallBoundary:
    """Stands between two calls of a function by somebody who cannot be seen."""


class Ledger:
    """Keeps the balance of one owner and writes down how it stood at every consume."""

    def __init__(self, owner: Owner, relations: Relations) -> None:
        self.owner = owner
        self._relations = relations
        self._reach: dict[tuple[Event, frozenset[tuple[Ref, Ref]]], Reach] = {}
        self.arrivals: dict[Event, set[Balance]] = {}
        self.rare_arrivals: dict[Event, set[Balance]] = {}
        self.zeros: dict[Event, Reach] = {}
        self.deposits: set[Event] = set()
        self.uncalled: set[Event] = set()

    def step(
        self, state: Balance, event: object, environment: Environment, *, rare: bool
    ) -> Iterable[Balance]:
        if isinstance(event, CallBoundary):
            return (state._replace(across_calls=True),)
        assert isinstance(event, Event)
        match event.kind:
            case Kind.DEPOSIT:
                return (self._deposit(state, event, environment),)
            case Kind.ZERO:
                return (self._zero(state, event, environment),)
            case Kind.CONSUME:
                return (self._consume(state, event, environment, rare),)
            case Kind.UNCALLED:
                if self._touches(event, environment) is not Reach.NONE:
                    self.uncalled.add(event)
            case Kind.ESCAPE:
                if self._touches(event, environment) is not Reach.NONE:
                    return (self.unknown(state),)
        return (state,)

    def _deposit(self, state: Balance, event: Event, environment: Environment) -> Balance:
        reach = self._touches(event, environment)
        if reach is Reach.NONE:
            return state
        if reach is Reach.UNSURE:
            return self.unknown(state)
        self.deposits.add(event)
        if event.replaces:
            return state._replace(
                status=Status.FRESH,
                fresh=frozenset({event}),
                doubtful=_NOTHING,
                came_round=False,
            )
        return state._replace(
            status=_AFTER_DEPOSIT[state.status],
            fresh=state.fresh | {event},
            doubtful=_NOTHING,
            came_round=False,
            piled_up=state.piled_up or event in state.fresh,
        )

    def _zero(self, state: Balance, event: Event, environment: Environment) -> Balance:
        reach = self._touches(event, environment)
        self.zeros[event] = reach
        if reach is Reach.NONE:
            return state
        if reach is Reach.UNSURE:
            # What is left of a deposit, if anything, can still be lost.
            return state._replace(status=Status.UNKNOWN)
        # Whatever came before it, a deposit that has been seen is lost now.
        wiped = bool(state.fresh or state.doubtful)
        return state._replace(
            status=Status.WIPED if wiped else _AFTER_ZERO[state.status],
            fresh=_NOTHING,
            lost=state.lost | state.fresh,
            cleared=event if wiped else state.cleared,
            carried=False,
        )

    def _consume(
        self, state: Balance, event: Event, environment: Environment, rare: bool
    ) -> Balance:
        if event.subject is None or environment.resolve(event.subject) != self.owner.ref:
            # Gradients that another optimizer has applied are neither lost nor left over.
            shared = self._touches(event, environment) is Reach.ALL
            return self.unknown(state)._replace(doubtful=_NOTHING) if shared else state
        noted = self.arrivals.setdefault(event, set())
        if rare:
            noted = self.rare_arrivals.setdefault(event, set())
        noted.add(state)
        # Cleared buffers hold nothing that a later step could apply a second time.
        empty = state.status in (Status.CLEAN, Status.WIPED)
        return Balance(Status.CLEAN if empty else Status.USED, event, empty)

    def _touches(self, event: Event, environment: Environment) -> Reach:
        key = (event, environment.key)
        known = self._reach.get(key)
        if known is None:
            known = self._reach[key] = self._relations.touches(event, environment, self.owner)
        return known

    def rebound(self, state: Balance, refs: frozenset[Ref], environment: Environment) -> Balance:
        # A new optimizer over the same parameters finds their gradients as they are.
        parts = self.owner.covers or (self.owner.ref,)
        resolved = [environment.resolve(ref) for ref in refs]
        if any(ref.contains(part) for ref in resolved for part in parts):
            return Balance()
        return state

    def entered(self, state: Balance) -> Balance:
        return state._replace(depth=min(state.depth + 1, DEEP))

    def repeated(self, state: Balance) -> Balance:
        return state._replace(came_round=True)

    def left(self, state: Balance) -> Balance:
        depth = max(state.depth - 1, -DEEP)
        return state._replace(
            depth=depth,
            lowest=min(state.lowest, depth),
            carried=state.carried or bool(state.fresh),
        )

    def unknown(self, state: Balance) -> Balance:
        doubtful = state.doubtful | state.fresh
        return state._replace(status=Status.UNKNOWN, fresh=_NOTHING, doubtful=doubtful)

    def walks(self, collection: Ref, environment: Environment) -> bool:
        resolved = environment.resolve(collection)
        parts = (self.owner.ref, *(self.owner.covers or ()))
        return any(resolved.overlaps(part) for part in parts)
