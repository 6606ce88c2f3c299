"""When one optimizer's gradients are clipped: too early, when there are none, or too late."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..events.event import Clip, Consume, Event
from ..program import Function
from .automata.clipped_sums import ClipLog, ClipState
from .automata.late_clips import LateClipLog, LateState
from .following import Following
from .order import Order
from .reach import OwnerReach


@dataclass(frozen=True, slots=True)
class ClipHistory:
    """The clips of one owner's gradients, over all ordinary paths."""

    before_steps: dict[Consume, list[ClipState]] = field(default_factory=dict)
    """What was clipped before every consume."""
    of_nothing: dict[Clip, list[ClipState]] = field(default_factory=dict)
    """Clips that find the buffers empty on every path, and how these stood there."""
    late: dict[Clip, list[LateState]] = field(default_factory=dict)
    """Clips of what has been applied already, on every path, and is cleared next."""


def clip_history(
    reach: OwnerReach,
    start: Function,
    following: Following,
    order: Order,
    seen: Iterable[Event],
    *,
    only_owner: bool,
) -> ClipHistory:
    """Follow an entry point for its clips, where `seen`, the events it runs, has any."""
    if not any(isinstance(event, Clip) for event in seen):
        return ClipHistory()
    log = following.log(lambda: ClipLog(reach, only_owner=only_owner), start, ClipState())
    late = following.log(lambda: LateClipLog(reach, only_owner=only_owner), start, LateState())
    return ClipHistory(
        order.states(log.arrivals), order.states(log.useless), order.states(late.late)
    )
