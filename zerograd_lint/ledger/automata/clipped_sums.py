"""Whether gradients are clipped before all backwards of a window have added to them."""

from __future__ import annotations

from typing import NamedTuple

from ...events.event import Clip, Consume, Deposit, Escape, Event, HandOver, UnreadCall, Zero
from ...program import Environment, Ref
from ..reach import OwnerReach, Reach
from .call_boundary import CallBoundary
from .clip_reach import ClipReach

_NONE: frozenset[Clip] = frozenset()


class ClipState(NamedTuple):
    """What was clipped on one path since the buffers were last empty or applied."""

    filled: frozenset[Deposit] = frozenset()
    """The backwards that have added to the buffers."""
    clipped: frozenset[Clip] = _NONE
    """The clips that found them filled."""
    too_early: frozenset[Clip] = _NONE
    """The clips after which the same backward has added more."""
    emptied: Zero | None = None
    """What has emptied them, if they surely are empty."""
    idle: frozenset[Clip] = _NONE
    """The clips that found them empty, and still are."""
    across_calls: bool = False
    """The path leads out of the function and into its next call."""


class ClipLog:
    """Follows one optimizer and writes down what was clipped before each of its steps."""

    def __init__(self, reach: OwnerReach, *, only_owner: bool) -> None:
        """`only_owner`: no other optimizer is there whose parameters could be meant."""
        self.owner = reach.owner
        self._reach = reach
        self._clips = ClipReach(reach.owner, only_owner)
        self.arrivals: dict[Consume, set[ClipState]] = {}
        self.clips: dict[Clip, set[ClipState]] = {}
        """How the buffers stood at every clip that concerns this optimizer and no other."""
        self.before_empty_steps: set[Clip] = set()
        """Clips behind which a step finds nothing, either: that is what is wrong there."""

    def may_be_wrong(self) -> bool:
        return any(state.too_early for states in self.arrivals.values() for state in states) or any(
            state.emptied for states in self.clips.values() for state in states
        )

    def step(
        self, state: ClipState, event: object, environment: Environment, *, rare: bool
    ) -> ClipState:
        if isinstance(event, CallBoundary):
            return state._replace(across_calls=True)
        assert isinstance(event, Event)
        if isinstance(event, Consume) and self._clips.is_applied_by(event, environment):
            if not rare:
                self.arrivals.setdefault(event, set()).add(state)
            self.before_empty_steps |= state.idle
            return ClipState()
        idle = state.idle
        if isinstance(event, Clip) and not rare and self._clips.is_only_of(event, environment):
            self.clips.setdefault(event, set()).add(state)
            idle |= {event}
        after = self._after(state, event, environment)
        emptied = self._emptied(state, event, environment)
        return after._replace(emptied=emptied, idle=idle if emptied is not None else _NONE)

    @property
    def useless(self) -> dict[Clip, set[ClipState]]:
        """Clips that find the buffers empty every time, though the next step does not."""
        return {
            clip: states
            for clip, states in self.clips.items()
            if clip not in self.before_empty_steps and all(state.emptied for state in states)
        }

    def _after(self, state: ClipState, event: Event, environment: Environment) -> ClipState:
        match event:
            case Clip() if state.filled and self._clips.may_be_of(event, environment):
                return state._replace(clipped=state.clipped | {event})
            case Deposit():
                reach = self._reach.of(event, environment)
                if event.replaces and reach is not Reach.NONE:
                    return ClipState()
                if reach is Reach.ALL:
                    again = state.clipped if event in state.filled else _NONE
                    return state._replace(
                        filled=state.filled | {event}, too_early=state.too_early | again
                    )
            case Escape():
                if self._reach.of(event, environment) is not Reach.NONE:
                    # Whatever becomes of the sums, parts of them have been cut down already.
                    return ClipState(too_early=state.too_early, across_calls=state.across_calls)
            case Zero() | Consume():
                if self._reach.of(event, environment) is not Reach.NONE:
                    return ClipState()
        return state

    def _emptied(self, state: ClipState, event: Event, environment: Environment) -> Zero | None:
        """What has emptied the buffers, where nothing can have filled them since."""
        match event:
            case HandOver() | UnreadCall(works_by_itself=True):
                return None
            case Zero() | Deposit() | Escape() | Consume():
                reach = self._reach.of(event, environment)
                if reach is not Reach.NONE:
                    return event if isinstance(event, Zero) and reach is Reach.ALL else None
        return state.emptied

    def rebound(
        self, state: ClipState, refs: frozenset[Ref], environment: Environment
    ) -> ClipState:
        parts = (self.owner.ref, *(self.owner.covers or ()))
        resolved = [environment.resolve(ref) for ref in refs]
        if any(ref.contains(part) for ref in resolved for part in parts):
            return ClipState()
        return state

    def entered(self, state: ClipState) -> ClipState:
        return state

    repeated = left = entered

    def unknown(self, state: ClipState) -> ClipState:
        return ClipState()

    def walks(self, collection: Ref, environment: Environment) -> bool:
        return self.owner.is_part_of(environment.resolve(collection))
