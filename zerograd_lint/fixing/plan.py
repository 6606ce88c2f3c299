"""What a rule reports and how its finding can be fixed, in terms of places and not of text."""

from __future__ import annotations

from dataclasses import dataclass

from ..events.event import Event
from ..events.site import Site


@dataclass(frozen=True, slots=True)
class InsertBefore:
    """A new line directly before the statement at a place."""

    place: Site
    code: str


@dataclass(frozen=True, slots=True)
class InsertAfter:
    """A new line directly after the statement at a place."""

    place: Site
    code: str


@dataclass(frozen=True, slots=True)
class MoveBefore:
    """The whole line of one statement, comment included, moves before another statement."""

    moved: Site
    place: Site


@dataclass(frozen=True, slots=True)
class MoveAfter:
    """The whole line of one statement, comment included, moves after another statement."""

    moved: Site
    place: Site


@dataclass(frozen=True, slots=True)
class AddCall:
    """Parentheses behind what is named but not called."""

    place: Site


@dataclass(frozen=True, slots=True)
class GuardBy:
    """The statement goes under an `if`."""

    place: Site
    test: str


@dataclass(frozen=True, slots=True)
class Replace:
    """The expression, or the whole statement, is written differently."""

    place: Site
    code: str


@dataclass(frozen=True, slots=True)
class Remove:
    """The whole line of a statement goes."""

    place: Site


Change = InsertBefore | InsertAfter | MoveBefore | MoveAfter | AddCall | GuardBy | Replace | Remove


@dataclass(frozen=True, slots=True)
class Plan:
    """All changes of one fix, with the sentence that announces it."""

    message: str
    changes: tuple[Change, ...]
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What a rule found, before places become lines and columns."""

    event: Event
    message: str
    related: tuple[tuple[Event, str], ...] = ()
    plan: Plan | None = None
    place: Site | None = None
    """Where it stands, if not at the event."""

    @property
    def events(self) -> tuple[Event, ...]:
        """All events it is about, the one it stands on first."""
        return (self.event, *(event for event, _ in self.related))
