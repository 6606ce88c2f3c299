"""Windows that a caller closes: `if update:`, where an argument says in which calls to step."""

from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Consume, Deposit, Event, Update, Zero
from ..events.site import Guard
from ..flow.invocations import Invocations
from ..program import Atom
from .entries import EntryPoint
from .places import Places


def entry_places(entry: EntryPoint, invocations: Invocations) -> Places:
    """The places of what an entry point runs; guards by which its caller closes windows count."""
    places = Places(entry.root, invocations)
    closing = frozenset(_closing_guards(entry, places))
    if closing:
        places.mark_counting(closing)
    return places


def _closing_guards(entry: EntryPoint, places: Places) -> Iterator[Guard]:
    """The guards by which a caller says whether all that was computed so far is applied.

    Every step stands under such a guard, and no backward does. So does every zeroing: what a call
    does not apply, it leaves for the next. Where others clear, a loss scaler that is updated there
    only says the same, for it allows of one unscaling between two updates.
    """
    steps = _of_kind(entry, Consume)
    found = places.of(steps[0]) if steps else None
    for guard in found.guards if found is not None and not found.loops else ():
        if not _asks_parameter(guard, entry):
            continue
        ending = _of_kind(entry, Zero) or _of_kind(entry, Update)
        if ending and all(_is_under(guard, event, places) for event in (*steps, *ending)):
            deposits = [places.of(event) for event in _of_kind(entry, Deposit)]
            tests = [[g.test for g in place.guards] if place else None for place in deposits]
            if all(asked is not None and guard.test not in asked for asked in tests):
                yield guard


def _asks_parameter(guard: Guard, entry: EntryPoint) -> bool:
    test = guard.test
    return isinstance(test, Atom) and test.told and test.asks_only in entry.root.parameters


def _of_kind(entry: EntryPoint, kind: type[Event]) -> list[Event]:
    return [event for event in entry.events if isinstance(event, kind)]


def _is_under(guard: Guard, event: Event, places: Places) -> bool:
    place = places.of(event)
    return place is not None and not place.loops and guard in place.guards
