"""Where events stand as seen from an entry point: in the loops and branches of all callers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ..events.event import Event
from ..events.site import Guard, Site
from ..flow.invocations import Invocations
from ..program import Environment, Function, Invoke, seen_from
from ..vocabulary.frameworks import TEST_PREFIX
from .merged_guards import guards_of_all

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

    def of(self, site: Site, environment: Environment) -> EventPlace | None:
        """The place of a site in a function that is called from here; None if it is not reached."""
        own = site.guards
        if environment.tests:
            seen = [guard.seen_from(environment) for guard in own]
            if any(guard.is_shut for guard in seen):
                return None
            own = tuple(guard for guard in seen if not guard.decided)
        guards = own if site.loops else (*self.guards, *own)
        conditional = self.conditional or site.conditional
        return EventPlace(
            (*self.loops, *site.loops), guards, conditional, (*self.order, site.order)
        )


class _Entered(NamedTuple):
    """A function as one way leads into it."""

    function: Function
    around: EventPlace
    environment: Environment

    @property
    def key(self) -> Hashable:
        return self.function, self.around, self.environment.key


class Places:
    """The places of all events that one entry point may run."""

    def __init__(self, root: Function, invocations: Invocations) -> None:
        self._root = root
        self._ways: dict[Event, list[EventPlace]] = {}
        """Where an event stands, on each of the ways that lead to it."""
        self._known: dict[Event, EventPlace | None] = {}
        self._lost: set[Event] = set()
        """What calls itself runs: not all ways that lead there are known."""
        start = _Entered(root, EventPlace(), Environment())
        pending: list[tuple[_Entered, tuple[Function, ...]]] = [(start, (root,))]
        seen = {start.key}
        while pending:
            (function, around, environment), callers = pending.pop()
            contents = invocations.contents(function)
            for event in contents.events:
                if isinstance(event, Event):
                    self._note(event, around.of(event.site, environment))
            for call in contents.invocations:
                if call.function in callers:
                    self._lose_sight(call.function, invocations)
                    continue
                place = around.of(call.site, environment) if isinstance(call.site, Site) else None
                if place is not None:
                    entered = _Entered(call.function, place, _tests(call, environment))
                    if entered.key not in seen:
                        seen.add(entered.key)
                        pending.append((entered, (*callers, call.function)))
            if len(seen) > _MOST_CALLS:
                self._ways.clear()
                return

    def _note(self, event: Event, place: EventPlace | None) -> None:
        if place is not None:
            self._ways.setdefault(event, []).append(place)

    def _lose_sight(self, function: Function, invocations: Invocations) -> None:
        """What calls itself, and all that it runs, stands in no one place."""
        for reached in invocations.reachable(function):
            for event in invocations.contents(reached).events:
                if isinstance(event, Event):
                    self._known[event] = None
                    self._lost.add(event)

    def of(self, event: Event) -> EventPlace | None:
        """The place of an event; None if ways from several places lead to it, or not known."""
        if event not in self._known:
            self._known[event] = _place_of_all(self._ways.get(event, ()))
        return self._known[event]

    def guards_of(self, event: Event) -> tuple[Guard, ...]:
        """The guards around an event within its innermost loop, those of callers included."""
        place = self.of(event)
        return place.guards if place is not None else ()

    def mark_counting(self, closing: Set[Guard]) -> None:
        """From now on these guards let one pass in n through, as far as is known."""
        self._known = dict.fromkeys(self._lost)
        for ways in self._ways.values():
            ways[:] = [
                replace(
                    way,
                    guards=tuple(
                        replace(g, periodic=True) if g in closing else g for g in way.guards
                    ),
                )
                for way in ways
            ]

    def is_now_and_then(self, event: Event, step: Event) -> bool:
        """Whether an event runs on one pass in n only of a loop that runs a step on others, too."""
        there = self.of(step)
        if there is None or not there.loops or event in self._lost:
            return False
        inside = [
            w for w in self._ways.get(event, ()) if w.loops[: len(there.loops)] == there.loops
        ]
        return bool(inside) and all(
            way.loops == there.loops
            and any(g.periodic and g.cycles and g not in there.guards for g in way.guards)
            for way in inside
        )

    def is_tried_out(self, event: Event) -> bool:
        """Whether a test writes this out, in no loop: it may want what is wrong elsewhere."""
        place = self.of(event)
        loops = event.site.loops if place is None else place.loops
        names = (self._root.name, event.site.function.name)
        return not loops and any(name.startswith(TEST_PREFIX) for name in names)

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


def _tests(call: Invoke, caller: Environment) -> Environment:
    """What the truth of parameters is in a function that is called; names are left as they are."""
    return Environment(tests={ref: seen_from(test, caller) for ref, test in call.tests})


def _place_of_all(ways: Sequence[EventPlace]) -> EventPlace | None:
    """The one place that several ways lead to, if they are in the same loops."""
    if len(ways) < 2:
        return ways[0] if ways else None
    if any(way.loops != ways[0].loops for way in ways):
        return None
    guards = guards_of_all([way.guards for way in ways])
    return replace(ways[0], guards=guards, order=()) if guards is not None else None
