"""Whose gradients a clip cuts down: maybe those of one optimizer, or surely no others."""

from __future__ import annotations

from dataclasses import dataclass

from ...events.event import Clip, Consume
from ...program import Environment, Ref
from ..reach import Owner


@dataclass(frozen=True, slots=True)
class ClipReach:
    """What clips mean to one optimizer."""

    owner: Owner
    only_owner: bool
    """No other optimizer is there whose parameters could be meant."""

    def is_applied_by(self, step: Consume, environment: Environment) -> bool:
        """It is this optimizer that steps."""
        return step.subject is not None and environment.resolve(step.subject) == self.owner.ref

    def may_be_of(self, clip: Clip, environment: Environment) -> bool:
        """The clip is of this optimizer's gradients, as far as can be seen."""
        through = _through(clip, environment)
        if self.owner.covers is None:
            return self.only_owner or self.owner.ref in through
        parts = (self.owner.ref, *self.owner.covers)
        return any(ref.overlaps(part) for ref in through for part in parts)

    def is_only_of(self, clip: Clip, environment: Environment) -> bool:
        """All that the clip concerns are this optimizer's gradients."""
        through = _through(clip, environment)
        if self.owner.covers is None:
            return bool(through) and self.only_owner
        return bool(through) and all(
            any(part.contains(ref) for part in self.owner.covers) for ref in through
        )


def _through(clip: Clip, environment: Environment) -> list[Ref]:
    return [environment.resolve(ref) for ref in clip.through]
