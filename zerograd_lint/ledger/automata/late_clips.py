"""Whether gradients are clipped when they have been applied already, and are cleared next."""

from __future__ import annotations

from typing import NamedTuple

from ...events.event import Clip, Consume, Deposit, Escape, Event, Read, Zero
from ...program import Environment, Ref
from ..reach import OwnerReach, Reach
from .call_boundary import CallBoundary
from .clip_reach import ClipReach

_NONE: frozenset[Clip] = frozenset()


class LateState(NamedTuple):
    """What was done to one optimizer's gradients on one path since they were applied."""

    applied_by: Consume | None = None
    """The step that has applied all that is in the buffers."""
    clipped: frozenset[Clip] = _NONE
    """The clips that came after it."""


class LateClipLog:
    """Follows one optimizer and writes down which clips come after its step.

    A backward in unread code makes no difference to them: it would be cleared with the rest.
    """

    def __init__(self, reach: OwnerReach, *, only_owner: bool) -> None:
        self.owner = reach.owner
        self._reach = reach
        self._clips = ClipReach(reach.owner, only_owner)
        self.clips: dict[Clip, set[LateState]] = {}
        """How the buffers stood at every clip of this optimizer's gradients."""
        self._cleared: set[Clip] = set()
        """Clips behind which what they cut down is cleared."""
        self._kept: set[Clip] = set()
        """Clips behind which it is used, or may be."""

    def may_be_wrong(self) -> bool:
        return any(state.applied_by for states in self.clips.values() for state in states)

    @property
    def late(self) -> dict[Clip, set[LateState]]:
        """Clips that come after the step every time, and cut down nothing but what is cleared."""
        return {
            clip: states
            for clip, states in self.clips.items()
            if clip in self._cleared - self._kept and all(s.applied_by for s in states)
        }

    def step(
        self, state: LateState, event: object, environment: Environment, *, rare: bool
    ) -> LateState:
        if isinstance(event, CallBoundary):
            return state
        assert isinstance(event, Event)
        match event:
            case Clip():
                return self._after_clip(state, event, environment, rare=rare)
            case Consume() | Deposit() | Escape() | Read() | Zero():
                reach = self._reach.of(event, environment)
                if reach is not Reach.NONE:
                    return self._after(state, event, reach, environment)
        return state

    def _after_clip(
        self, state: LateState, clip: Clip, environment: Environment, *, rare: bool
    ) -> LateState:
        if not self._clips.is_only_of(clip, environment):
            return state
        if not rare:
            self.clips.setdefault(clip, set()).add(state)
        return state._replace(clipped=state.clipped | {clip}) if state.applied_by else state

    def _after(
        self, state: LateState, event: Event, reach: Reach, environment: Environment
    ) -> LateState:
        if isinstance(event, Zero) and reach is Reach.ALL:
            self._cleared |= state.clipped
            return LateState()
        used = self._used(state)
        if isinstance(event, Consume) and self._clips.is_applied_by(event, environment):
            return LateState(event)
        return used

    def _used(self, state: LateState) -> LateState:
        self._kept |= state.clipped
        return LateState()

    def rebound(
        self, state: LateState, refs: frozenset[Ref], environment: Environment
    ) -> LateState:
        parts = (self.owner.ref, *(self.owner.covers or ()))
        resolved = [environment.resolve(ref) for ref in refs]
        if any(ref.contains(part) for ref in resolved for part in parts):
            return self._used(state)
        return state

    def entered(self, state: LateState) -> LateState:
        return state

    repeated = left = entered

    def unknown(self, state: LateState) -> LateState:
        return self._used(state)

    def walks(self, collection: Ref, environment: Environment) -> bool:
        return self.owner.is_part_of(environment.resolve(collection))
