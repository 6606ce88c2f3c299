"""One owner's history, and which of its paths are sure to happen."""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from ..argument import Answer
from ..events.event import Consume, Deposit, Event, Spoil, Uncalled, Zero
from ..program import Function
from .automata.balance import Balance, Status
from .automata.ownership import Ownership
from .clip_history import ClipHistory
from .places import Places
from .reach import Owner, Reach

Arrival = tuple[Consume, Balance]
"""A consume that a path arrives at, and how the balance stands there."""


@dataclass(frozen=True, slots=True)
class Clearing:
    """What may clear one owner, seen from one entry point."""

    zeros: dict[Zero, Reach]
    """The zeroings that the entry point runs, and how far each reaches into the owner."""
    uncalled: Set[Uncalled]
    """Zeroings of this owner that are named, but not called."""
    mended: Set[Spoil]
    """Tests that find what is not finite in its buffers, which on some ways is cleared at once."""
    elsewhere: bool
    """Code that this entry point does not run may clear this owner."""
    at_any_time: bool
    """A zeroing of this owner is handed around as a value, so it runs at an unknown time."""
    unread: list[Event]
    """Events after which nothing is known of the owner's buffers."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What else one entry point does, and what its callers may do."""

    other_consumes: list[Consume]
    """Consumes of other owners within the same entry point."""
    unread_code: bool
    """Unread code was given something a backward could start from."""
    part_of_iteration: bool
    """The caller holds both the loss and the owner, so it may well do the zeroing."""


@dataclass(frozen=True)
class Account:
    """One owner's history as seen from one entry point."""

    owner: Owner
    root: Function
    places: Places
    """Where the events stand as seen from the entry point."""
    arrivals: dict[Consume, list[Balance]]
    """How the balance stood at every consume, over all ordinary paths."""
    rare_arrivals: dict[Consume, list[Balance]]
    """The same over the paths that an exception takes."""
    clips: ClipHistory
    """When its gradients are clipped."""
    owned: dict[Consume, list[Ownership]]
    """What the optimizer owned at every consume, where a module is made anew on the way."""
    deposits: list[Deposit]
    clearing: Clearing
    surroundings: Surroundings
    called_again: Answer
    """Whether the entry point is surely called again with the same owner."""

    def certain(self, *, rare: bool = False) -> Iterator[tuple[Consume, list[Arrival]]]:
        """For each consume: where the paths from it that surely happen arrive, and how.

        One that had something to apply and one that had not are two different beginnings.
        Paths that stay inside the innermost loops come first: a loop goes round, but whether
        and when it is left is not known.
        """
        found = self._by_start(rare)
        for start, empty in product(self.arrivals, (False, True)):
            paths = found.get((start, empty), [])
            if empty and not paths:
                continue
            if paths:
                nearest = min(balance.level for _, balance in paths)
                paths = [(end, b) for end, b in paths if b.level == nearest]
            if self._caller_may_zero and any(b.across_calls for _, b in paths):
                continue
            yield start, paths

    def _by_start(self, rare: bool) -> dict[tuple[Consume | None, bool], list[Arrival]]:
        found: dict[tuple[Consume | None, bool], list[Arrival]] = {}
        for end, balances in self.arrivals.items():
            for balance in (*balances, *(self.rare_arrivals.get(end, ()) if rare else ())):
                found.setdefault((balance.since, balance.from_empty), []).append((end, balance))
        return found

    @property
    def _caller_may_zero(self) -> bool:
        return self.clearing.elsewhere or self.surroundings.part_of_iteration

    def spoilt(self) -> dict[Consume, Spoil]:
        """The consumes that apply what a test found not to be finite, but are not always stale."""
        if self.clearing.at_any_time:
            return {}
        found = {
            end: balance.spoilt
            for end, balances in self.arrivals.items()
            for balance in balances
            if balance.spoilt is not None
            and balance.kept_spoilt
            and not balance.across_calls
            and balance.spoilt not in self.clearing.mended
        }
        stale = self.stale if found else {}
        return {end: spoil for end, spoil in found.items() if end not in stale}

    @cached_property
    def stale(self) -> dict[Consume, list[Balance]]:
        """The consumes that, in every case, apply what an earlier one has applied already."""
        found: dict[Consume, list[Balance]] = {}
        if self.clearing.at_any_time:
            return found
        for _, every in self.certain():
            # What one pass in n does, the passes between do without.
            paths = [(end, balance) for end, balance in every if not balance.by_the_way]
            states = {balance.status for _, balance in paths}
            # Next to a stale step, one without any backward in between is as wrong.
            if Status.STALE in states and states <= {Status.STALE, Status.USED}:
                for end, balance in paths:
                    found.setdefault(end, []).append(balance)
        return found
