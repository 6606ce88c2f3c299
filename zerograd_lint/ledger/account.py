"""One owner's history, and which of its paths are sure to happen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from ..events.event import Event
from ..program import Function
from .automata.balance import Balance, Status
from .reach import Owner, Reach


@dataclass(slots=True)
class Account:
    """One owner's history as seen from one entry point."""

    owner: Owner
    root: Function
    arrivals: dict[Event, list[Balance]]
    """How the balance stood at every consume, over all ordinary paths."""
    rare_arrivals: dict[Event, list[Balance]]
    """The same over the paths that an exception takes."""
    zeros: dict[Event, Reach]
    deposits: list[Event]
    others: list[Event]
    """Consumes of other owners within the same entry point."""
    zeroed_elsewhere: bool
    """Code that this entry point does not run may clear this owner."""
    zeroed_anytime: bool
    """A zeroing of this owner is handed around as a value: it may run at any moment."""
    uncalled: set[Event]
    """Zeroings of this owner that are named, but not called."""
    own: set[Event]
    """The events of the entry point itself, not of the functions it calls."""
    in_plain_view: bool
    """No code that cannot be seen was given anything a backward could start from."""

    def certain(self, *, rare: bool = False) -> Iterator[tuple[Event, list[tuple[Event, Balance]]]]:
        """For each consume: where the paths from it that surely happen arrive, and how.

        One that had something to apply and one that had not are two different beginnings.
        Paths that stay inside the innermost loops come first: a loop goes round, but whether
        and when it is left is anybody's guess.
        """
        found: dict[tuple[Event | None, bool], list[tuple[Event, Balance]]] = {}
        for end, balances in self.arrivals.items():
            for balance in (*balances, *(self.rare_arrivals.get(end, ()) if rare else ())):
                found.setdefault((balance.since, balance.from_empty), []).append((end, balance))
        for start, empty in product(self.arrivals, (False, True)):
            paths = found.get((start, empty), [])
            if empty and not paths:
                continue
            if paths:
                nearest = min(balance.level for _, balance in paths)
                paths = [(end, b) for end, b in paths if b.level == nearest]
            if any(b.across_calls for _, b in paths) and (
                self.zeroed_elsewhere or self._is_part_of_an_iteration()
            ):
                continue
            yield start, paths

    def _is_part_of_an_iteration(self) -> bool:
        """The caller holds both the loss and the optimizer, so the zeroing may be its business."""
        given = any(deposit.given and deposit in self.own for deposit in self.deposits)
        return given and self.owner.ref.root in self.root.parameters

    def stale(self) -> dict[Event, list[Balance]]:
        """The consumes that, in every case, apply what an earlier one has applied already."""
        found: dict[Event, list[Balance]] = {}
        if self.zeroed_anytime:
            return found
        for _, paths in self.certain():
            states = {balance.status for _, balance in paths}
            # Next to a stale step, one without any backward in between is as wrong.
            if Status.STALE in states and states <= {Status.STALE, Status.USED}:
                for end, balance in paths:
                    found.setdefault(end, []).append(balance)
        return found
