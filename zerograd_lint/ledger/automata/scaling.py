"""Whether one optimizer's gradients still carry the factor of a loss scaler."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import NamedTuple

from ...events.event import Event, Kind
from ...program import Environment, Ref
from ..reach import Owner, Reach, Relations
from .balance import DEEP, CallBoundary


class Scale(enum.Enum):
    NONE = "none"
    SCALED = "scaled"
    UNSCALED = "unscaled"
    UNKNOWN = "unknown"

    __hash__ = object.__hash__  # states are looked up all the time


class Scaling(NamedTuple):
    scale: Scale = Scale.NONE
    deposit: Event | None = None
    """The scaled backward that filled the buffers."""
    unscaled: Event | None = None
    """The `unscale_` since the last update."""
    stepped: Event | None = None
    """The scaler's step since the last update."""
    since: Event | None = None
    """The scaler's step this path started from."""
    depth: int = 0
    lowest: int = 0
    across_calls: bool = False


class ScalerLog:
    """Follows one optimizer and writes down how its gradients were scaled at each event."""

    def __init__(self, owner: Owner, relations: Relations) -> None:
        self.owner = owner
        self._relations = relations
        self.noted: dict[Event, set[Scaling]] = {}
        self.arrivals: dict[Event, list[Scaling]] = {}

    def step(
        self, state: Scaling, event: object, environment: Environment, *, rare: bool
    ) -> Iterable[Scaling]:
        if isinstance(event, CallBoundary):
            return (state._replace(across_calls=True),)
        assert isinstance(event, Event)
        if not rare and event.kind in (Kind.READ, Kind.UNSCALE, Kind.CONSUME):
            if self._concerns(event, environment):
                self.noted.setdefault(event, set()).add(state)
        return (self._after(state, event, environment),)

    def _after(self, state: Scaling, event: Event, environment: Environment) -> Scaling:
        touches = self._relations.touches
        match event.kind:
            case Kind.DEPOSIT:
                if touches(event, environment, self.owner) is not Reach.ALL:
                    return self.unknown(state)
                if event.scaler is not None:
                    return state._replace(scale=Scale.SCALED, deposit=event)
                if state.scale is not Scale.NONE:
                    return self.unknown(state)
            case Kind.ZERO if touches(event, environment, self.owner) is not Reach.NONE:
                return state._replace(scale=Scale.NONE, deposit=None)
            case Kind.UNSCALE if event.subject is None or self._concerns(event, environment):
                return state._replace(scale=Scale.UNSCALED, unscaled=event)
            case Kind.CONSUME if self._concerns(event, environment):
                through = event.scaler is not None
                return state._replace(
                    scale=Scale.UNSCALED if through else state.scale,
                    stepped=event if through else state.stepped,
                    since=event if through else state.since,
                    depth=0,
                    lowest=0,
                    across_calls=False,
                )
            case Kind.UPDATE:
                return state._replace(unscaled=None, stepped=None)
            case Kind.ESCAPE if touches(event, environment, self.owner) is not Reach.NONE:
                return self.unknown(state)
        return state

    def _concerns(self, event: Event, environment: Environment) -> bool:
        if event.subject is not None:
            resolved = environment.resolve(event.subject)
            return resolved == self.owner.ref or (event.kind is Kind.READ and self._owns(resolved))
        through = [environment.resolve(ref) for ref in event.through]
        return bool(through) and all(self._owns(ref) for ref in through)

    def _owns(self, ref: Ref) -> bool:
        parts = self.owner.covers
        if parts is None:
            return False
        return ref == self.owner.ref or any(ref.overlaps(part) for part in parts)

    def rebound(self, state: Scaling, refs: frozenset[Ref], environment: Environment) -> Scaling:
        if any(environment.resolve(ref).contains(self.owner.ref) for ref in refs):
            return Scaling()
        return state

    def entered(self, state: Scaling) -> Scaling:
        return state._replace(depth=min(state.depth + 1, DEEP))

    def repeated(self, state: Scaling) -> Scaling:
        return state

    def left(self, state: Scaling) -> Scaling:
        depth = max(state.depth - 1, -DEEP)
        return state._replace(depth=depth, lowest=min(state.lowest, depth))

    def unknown(self, state: Scaling) -> Scaling:
        return Scaling(Scale.UNKNOWN)

    def walks(self, collection: Ref, environment: Environment) -> bool:
        return environment.resolve(collection).overlaps(self.owner.ref)
