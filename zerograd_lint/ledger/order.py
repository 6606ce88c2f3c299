"""What was found on many paths, in the order of the program.

Paths are kept in sets, and a set has another order in every process. Where a rule takes the first
of several, the same file must get the same finding each time.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from ..events.event import Event

EventKind = TypeVar("EventKind", bound=Event)
State = TypeVar("State", bound=tuple[Any, ...])
Value = TypeVar("Value")


class Order:
    """Sorts events, and states that hold events, as they stand in the program."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._numbers = {event: number for number, event in enumerate(events)}

    def events(self, found: Iterable[EventKind]) -> list[EventKind]:
        """Events in the order of the program."""
        return sorted(found, key=self._number)

    def by_event(self, noted: Mapping[EventKind, Value]) -> dict[EventKind, Value]:
        """What was noted for each event, in the order of the program."""
        return {event: noted[event] for event in self.events(noted)}

    def states(self, noted: Mapping[EventKind, set[State]]) -> dict[EventKind, list[State]]:
        """The states that arrived at each event."""
        return {event: sorted(noted[event], key=self._rank) for event in self.events(noted)}

    def _number(self, event: Event) -> int:
        return self._numbers.get(event, -1)

    def _rank(self, state: tuple[Any, ...]) -> list[Any]:
        return [self._part(part) for part in state]

    def _part(self, part: Any) -> Any:
        match part:
            case None:
                return -2
            case Event():
                return self._number(part)
            case frozenset():
                return sorted(map(self._number, part))
            case enum.Enum():
                return part.value
        return part
