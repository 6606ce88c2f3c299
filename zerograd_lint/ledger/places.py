"""Where events stand as seen from an entry point: in the loops and branches of all callers."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..events.event import Event
from ..events.site import Guard, Site
from ..flow.invocations import Invocations
from ..program import Function

_MOST_CALLS = 500
"""Calls that are followed from one entry point; beyond them nothing is known of any place."""


@dataclass(frozen=True, slots=True)
class EventPlace:
    """The loops around an event, outermost first, and the guards within the innermost of them."""

    loops: tuple[int, ...] = ()
    guards: tuple[Guard, ...] = ()
    conditional: bool = False
    """Some test on the way, in whatever loop, decides whether it is reached."""
    order: tuple[int, ...] = field(default=(), compare=False)
    """Where the calls that lead to it, and it itself, come in the code of their functions."""

    def of(self, site: Site) -> EventPlace:
        """The place of a site in a function that is called from here."""
        guards = site.guards if site.loops else (*self.guards, *site.guards)
        conditional = self.conditional or site.conditional
        return EventPlace(
            (*self.loops, *site.loops), guards, conditional, (*self.order, site.order)
        )


class Places:
    """The places of all events that one entry point may run."""

    def __init__(self, root: Function, invocations: Invocations) -> None:
        self._known: dict[Event, EventPlace | None] = {}
        pending = [(root, EventPlace())]
        seen = set(pending)
        while pending:
            function, around = pending.pop()
            contents = invocations.contents(function)
            for event in contents.events:
                if isinstance(event, Event):
                    self._note(event, around.of(event.site))
            for call in contents.invocations:
                if isinstance(call.site, Site):
                    entered = (call.function, around.of(call.site))
                    if entered not in seen:
                        seen.add(entered)
                        pending.append(entered)
            if len(seen) > _MOST_CALLS:
                self._known.clear()
                return

    def _note(self, event: Event, place: EventPlace) -> None:
        # What is reached in two ways stands in no one place.
        if event not in self._known:
            self._known[event] = place
        elif self._known[event] == place:
            self._known[event] = replace(place, order=())
        else:
            self._known[event] = None

    def of(self, event: Event) -> EventPlace | None:
        """The place of an event; None if it is reached in several ways, or not known."""
        return self._known.get(event)

    def beside(self, one: Event, other: Event) -> bool:
        """Whether both events stand in the same loop."""
        here, there = self.of(one), self.of(other)
        return here is not None and there is not None and here.loops == there.loops

    def in_order(self, first: Event, second: Event) -> bool:
        """Whether one event is known to come before another in the code of an iteration."""
        here, there = self.of(first), self.of(second)
        if here is None or there is None:
            return False
        for mine, theirs in zip(here.order, there.order, strict=False):
            if mine != theirs:
                return mine < theirs
        return False
