"""What a rule reports and how its finding can be fixed, in terms of places and not of text.

The advice of a message and the edit of a fix come from the same plan, so that both say the same.
"""

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
    """One statement, with the comment above it, moves before another."""

    moved: Site
    place: Site


@dataclass(frozen=True, slots=True)
class MoveAfter:
    """One statement, with the comment above it, moves after another."""

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
    """All changes of one fix, with the words that announce and advise it."""

    title: str
    changes: tuple[Change, ...]
    advice: str = ""
    """The same for those who do it by hand; empty if the report's own advice says it."""
    safe: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    """What a rule found, before places become lines and columns."""

    event: Event
    message: str
    """What is wrong, and what it does to training."""
    related: tuple[tuple[Event, str], ...] = ()
    plans: tuple[Plan, ...] = ()
    """The ways to mend it, the best first; the first that holds is offered."""
    advice: str = ""
    """What to do where no plan holds."""
    place: Site | None = None
    """Where it stands, if not at the event."""

    @property
    def events(self) -> tuple[Event, ...]:
        """All events it is about, the one it stands on first."""
        return (self.event, *(event for event, _ in self.related))
