"""Events that automata take no step on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...events.event import Advance, Ask, Clip, Create, Event, Forward, HandOver, UnreadCall

IGNORED_BY_ALL = (Advance, Forward)
"""No automaton takes a step on these; that they are there is all that counts."""
IGNORED = (*IGNORED_BY_ALL, HandOver, Create, Ask, UnreadCall)
"""The same for all automata but those that ask whether a buffer holds anything at all."""


def ignored_in(events: Iterable[Event]) -> Callable[[object], bool]:
    """Which events no automaton takes a step on, but the one for `None`, in a file of these.

    Where gradients are clipped, it matters whether unread code may have filled the buffers.
    """
    if any(isinstance(event, Clip) for event in events):
        return _is_ignored_beside_clips
    return lambda event: isinstance(event, IGNORED)


def _is_ignored_beside_clips(event: object) -> bool:
    if isinstance(event, UnreadCall):
        return not event.works_by_itself
    return isinstance(event, IGNORED) and not isinstance(event, HandOver)
