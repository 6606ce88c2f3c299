"""Whether one optimizer's gradients still carry the factor of a loss scaler."""

from __future__ import annotations

import enum
from collections.abc import Callable, Set
from typing import NamedTuple

from ...events.event import (
    AskScale,
    Clip,
    Consume,
    Deposit,
    Escape,
    Event,
    Read,
    Spoil,
    Unscale,
    Update,
    Zero,
)
from ...program import Environment, Ref, atoms
from ..places import Places
from ..reach import OwnerReach, Reach
from .call_boundary import CallBoundary
from .loop_depth import deeper, shallower


class Scale(enum.Enum):
    """Whether gradients carry the factor: no gradients, never, yes, divided out, or not known."""

    EMPTY = "empty"
    PLAIN = "plain"
    SCALED = "scaled"
    UNSCALED = "unscaled"
    UNKNOWN = "unknown"

    __hash__ = object.__hash__  # states are looked up all the time


class ScaleState(NamedTuple):
    """What a loss scaler has done to one optimizer on one path."""

    scale: Scale = Scale.EMPTY
    deposit: Deposit | None = None
    """The scaled backward that filled the buffers."""
    unscaled: Unscale | None = None
    """The `unscale_` since the last update."""
    stepped: Consume | None = None
    """The scaler's step since the last update."""
    updated: Update | None = None
    """The update since the last step."""
    since: Consume | None = None
    """The scaler's step this path started from."""
    depth: int = 0
    """Loops entered minus loops left since `since`."""
    lowest: int = 0
    """The least that `depth` has been."""
    across_calls: bool = False
    """The path leads out of the function and into its next call."""
    early: Update | None = None
    """An update since the buffers were filled, before this optimizer has stepped."""
    handled: bool = False
    """Since the buffers were filled, something was done to gradients that may be among them."""
    unread: bool = False
    """Since the last step, unread code was given the scaler, and may have updated it."""
    asked: bool = False
    """Since the buffers were filled, the scale was asked for, to reckon with it."""
    spoilt: Spoil | None = None
    """Where what was unscaled was found not to be finite."""


class ScalerLog:
    """Follows one optimizer and writes down how its gradients were scaled at each event."""

    def __init__(
        self,
        reach: OwnerReach,
        places: Places,
        scalers: Set[Ref],
        counts_calls: bool,
        switches: Callable[[Ref], frozenset[tuple[str, bool]]],
    ) -> None:
        self.owner = reach.owner
        self.places = places
        self.counts_calls = counts_calls
        """The entry point steps, and updates the scaler, in some of its calls only."""
        self._scalers = scalers
        """The loss scalers of the entry point."""
        self._switches = switches
        self._reach = reach
        self.noted: dict[Event, set[ScaleState]] = {}
        self.arrivals: dict[Event, list[ScaleState]] = {}
        """What was noted, in the order of the program."""
        self.unowned: set[Event] = set()
        """Noted clips of what this optimizer may own, since it is not known what it owns."""
        self.mended: set[Spoil] = set()
        """Tests that found gradients not finite, with a step or update on some path behind them."""

    def may_be_wrong(self) -> bool:
        """Whether something about the scale is wrong on some path."""
        return any(
            _may_be_wrong(event, state) for event, states in self.noted.items() for state in states
        )

    def may_be_off(self, event: Event) -> bool:
        """Whether a test around an event may have turned a loss scaler off."""
        switches = {switch for scaler in self._scalers for switch in self._switches(scaler)}
        return any(
            ((read.path[-1] if read.path else read.name), not guard.taken) in switches
            for guard in (*self.places.guards_of(event), *event.site.guards)
            for atom in atoms(guard.test)
            for read in atom.reads
        )

    def step(
        self, state: ScaleState, event: object, environment: Environment, *, rare: bool
    ) -> ScaleState:
        if isinstance(event, CallBoundary):
            return state._replace(across_calls=True)
        assert isinstance(event, Event)
        if not rare and isinstance(event, Read | Unscale | Consume):
            if self._concerns(event, environment):
                self.noted.setdefault(event, set()).add(state)
            elif isinstance(event, Clip) and self.owner.covers is None:
                self.unowned.add(event)
                self.noted.setdefault(event, set()).add(state)
        return self._after(state, event, environment)

    def _after(self, state: ScaleState, event: Event, environment: Environment) -> ScaleState:
        reach = self._reach.of
        match event:
            case Deposit():
                return self._deposited(state, event, environment)
            case Zero() if reach(event, environment) is not Reach.NONE:
                return state._replace(scale=Scale.EMPTY, deposit=None, early=None)
            case Unscale():
                return self._divided(state, event, environment)
            case Read() if state.scale is Scale.SCALED and _may_unscale(event):
                return self._handled(state, event, environment)
            case Consume() if self._concerns(event, environment):
                self._mend(state)
                through = event.scaler is not None
                return state._replace(
                    scale=Scale.UNSCALED if through else state.scale,
                    stepped=event if through else state.stepped,
                    since=event if through else state.since,
                    depth=0,
                    lowest=0,
                    across_calls=False,
                    early=None,
                    unread=False,
                    updated=None,
                    spoilt=None,
                )
            case Update():
                return self._updated(state, event)
            case Spoil(asks_more=False) if state.unscaled is not None:
                return state._replace(spoilt=event)
            case AskScale():
                return state._replace(asked=True)
            case Escape():
                return self._escaped(state, event, environment)
        return state

    def _updated(self, state: ScaleState, event: Update) -> ScaleState:
        self._mend(state)
        early = event if state.scale is Scale.SCALED else state.early
        return state._replace(unscaled=None, stepped=None, updated=event, spoilt=None, early=early)

    def _mend(self, state: ScaleState) -> None:
        if state.spoilt is not None:
            self.mended.add(state.spoilt)

    def _escaped(self, state: ScaleState, event: Escape, environment: Environment) -> ScaleState:
        """Unread code may act on the gradients, and on the scaler if it was given it."""
        given = environment.resolve(event.subject) if event.subject is not None else None
        if given is None or any(given.overlaps(scaler) for scaler in self._scalers):
            return self.unknown(state)
        touched = self._reach.of(event, environment) is not Reach.NONE
        return _out_of_sight(state) if touched else state

    def _deposited(self, state: ScaleState, event: Deposit, environment: Environment) -> ScaleState:
        if self._reach.of(event, environment) is not Reach.ALL:
            return _out_of_sight(state)
        # What the scaler has divided already is still there, and may be all there is: the backward
        # may be that of another network. The one that has filled the buffers fills them again.
        again = event is state.deposit and state.unscaled is None
        if state.scale is Scale.UNSCALED and not again:
            return state
        if event.scaler is not None:
            return state._replace(scale=Scale.SCALED, deposit=event, handled=False, asked=False)
        if state.scale not in (Scale.EMPTY, Scale.PLAIN):
            return _out_of_sight(state)
        return state._replace(scale=Scale.PLAIN)

    def _divided(self, state: ScaleState, event: Unscale, environment: Environment) -> ScaleState:
        if event.subject is None or self._concerns(event, environment):
            return state._replace(scale=Scale.UNSCALED, unscaled=event, spoilt=None)
        if state.scale is not Scale.SCALED:
            return state
        # Another optimizer may own the same parameters.
        if self._reach.of(event, environment) is not Reach.NONE:
            return _out_of_sight(state)
        return self._handled(state, event, environment)

    def _handled(self, state: ScaleState, event: Event, environment: Environment) -> ScaleState:
        """Whatever is done to gradients by hand may divide the scale out."""
        own = isinstance(event, Read) and self._concerns(event, environment)
        return _out_of_sight(state) if own else state._replace(handled=True)

    def _concerns(self, event: Event, environment: Environment) -> bool:
        """The event is about this optimizer's gradients."""
        if event.subject is not None:
            resolved = environment.resolve(event.subject)
            return resolved == self.owner.ref or (isinstance(event, Read) and self._owns(resolved))
        clipped = event.through if isinstance(event, Read) else ()
        through = [environment.resolve(ref) for ref in clipped]
        return bool(through) and all(self._owns(ref) for ref in through)

    def _owns(self, ref: Ref) -> bool:
        if self.owner.covers is None:
            return False
        return ref == self.owner.ref or any(ref.overlaps(part) for part in self.owner.covers)

    def rebound(
        self, state: ScaleState, refs: frozenset[Ref], environment: Environment
    ) -> ScaleState:
        if any(environment.resolve(ref).contains(self.owner.ref) for ref in refs):
            return ScaleState()
        return state

    def entered(self, state: ScaleState) -> ScaleState:
        if state.since is None:
            return state  # how deep it is counts from a step on
        return state._replace(depth=deeper(state.depth))

    def repeated(self, state: ScaleState) -> ScaleState:
        return state

    def left(self, state: ScaleState) -> ScaleState:
        if state.since is None:
            return state
        depth = shallower(state.depth)
        return state._replace(depth=depth, lowest=min(state.lowest, depth))

    def unknown(self, state: ScaleState) -> ScaleState:
        self._mend(state)
        used = state.since is not None or state.unscaled is not None
        return _out_of_sight(state)._replace(
            unscaled=None, stepped=None, updated=None, spoilt=None, unread=used
        )

    def walks(self, collection: Ref, environment: Environment) -> bool:
        return environment.resolve(collection).overlaps(self.owner.ref)


def _may_be_wrong(event: Event, state: ScaleState) -> bool:
    """A step or an unscaling without an update since the last, or what is scaled and used."""
    match event:
        case Unscale():
            return state.unscaled is not None or state.spoilt is not None
        case Consume() if event.scaler is not None:
            return state.stepped is not None or state.early is not None
    return state.scale is Scale.SCALED


def _out_of_sight(state: ScaleState) -> ScaleState:
    """Nothing is known of the gradients any more; what the scaler has done is."""
    return state._replace(scale=Scale.UNKNOWN, deposit=None, early=None, handled=False)


def _may_unscale(event: Read) -> bool:
    """Whether it may divide the scale out of gradients: a clip, a norm and a test do not."""
    return not (event.measures or event.only_asked)
