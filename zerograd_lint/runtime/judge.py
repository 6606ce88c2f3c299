"""What a step is about to apply, held against where it came from."""

from __future__ import annotations

from dataclasses import dataclass

from . import wrongness
from .books import Books
from .evidence import StepLine
from .leaks import Leaks
from .ledger import BackwardPass, Ledger
from .owners import Owner, Owners
from .scaling import Scaling


@dataclass(slots=True)
class Clock:
    """How far the program has come."""

    steps: int = 0
    backwards: int = 0


class Judge:
    """Sorts the ledgers of one step into right and wrong, and notes the wrong on its line."""

    def __init__(self, clock: Clock, books: Books, owners: Owners, scaling: Scaling) -> None:
        self._clock = clock
        self.leaks = Leaks(owners)
        self._books = books
        self._owners = owners
        self._scaling = scaling
        self._watching_since = 0
        self._unsure_wipe: tuple[StepLine, int, BackwardPass, list[Ledger]] | None = None

    def apply(self, owner: Owner, line: StepLine, ledgers: list[Ledger]) -> float | None:
        """Note what is wrong with this step, and that it was taken.

        Returns the relative error of what it applies, where that is known.
        """
        if self._books.in_doubt:
            self._watch()
        for ledger in ledgers:
            if not ledger.fresh or ledger.applied or ledger.lost:
                error = self._judge(owner, line, ledgers)
                for each in ledgers:
                    each.consumed(owner.keys)
                return error
        # The usual case, and the one whose cost matters: all is fresh, and nothing else is there.
        line.fed += 1
        self._judge_sources(owner, line, ledgers)
        for ledger in ledgers:
            ledger.applied = ledger.fresh
            ledger.applied_by = owner.keys
            ledger.fresh = ()
        return None

    def _judge(self, owner: Owner, line: StepLine, ledgers: list[Ledger]) -> float | None:
        stale: list[Ledger] = []
        wiped: list[Ledger] = []
        thinned: list[Ledger] = []
        fed = unclear = 0
        for ledger in ledgers:
            if ledger.fresh:
                fed += 1
                if ledger.applied:
                    stale.append(ledger)
                if ledger.lost:
                    thinned.append(ledger)
            elif owner.key in ledger.applied_by:
                stale.append(ledger)
            elif ledger.rewritten or ledger.vanished or ledger.applied:
                unclear += 1
            elif ledger.lost:
                wiped.append(ledger)
        line.fed += bool(fed or unclear)
        if fed:
            self._judge_sources(owner, line, ledgers)
        if stale and not self._books.watching and any(ledger.touched for ledger in stale):
            # Clipped leftovers are leftovers, but overwritten ones are not: look at the next.
            self._watch()
            return None
        if stale:
            return self.saw_stale(line, stale)
        if thinned:
            return self._saw_losses(line, thinned)
        if wiped and not fed and not unclear:
            return self._saw_wipe(owner, line, wiped)
        # An optimizer of one's own may need no gradients: it shrinks, projects or averages.
        if not fed and not unclear and not wiped and owner.is_stock:
            line.unfed += 1
            line.first_was_unfed |= line.steps == 1
            line.saw("unfed", self._clock.steps)
        return None

    def _judge_sources(self, owner: Owner, line: StepLine, ledgers: list[Ledger]) -> None:
        fresh = ledgers[0].fresh if ledgers else ()
        if len(self._owners) > 1 or not fresh:
            fresh = max((ledger.fresh for ledger in ledgers), key=len, default=())
            foreign = self.leaks.find(owner.key, fresh) if len(fresh) > 1 else None
            if foreign is not None:
                line.saw("leak", self._clock.steps, foreign, wrongness.of_surplus(ledgers))
        for each in fresh:
            if each.scaled and self._scaling.is_scaled_for(owner.key):
                line.saw("scaled", self._clock.steps, each)
                break

    def saw_stale(self, line: StepLine, stale: list[Ledger]) -> float | None:
        """Gradients that had been applied before are among those of this step."""
        self._books.measuring = True
        measured = wrongness.of_surplus(stale)
        newest = (stale[0].fresh or stale[0].applied)[-1]
        line.saw("stale", self._clock.steps, newest, measured)
        return measured.relative_error if measured else None

    def _saw_losses(self, line: StepLine, thinned: list[Ledger]) -> float | None:
        """Passes of the very line that feeds this step were lost: is accumulation defeated?"""
        alike = [
            ledger
            for ledger in thinned
            if {each.call.chain for each in ledger.lost}
            & {each.call.chain for each in ledger.fresh}
        ]
        if not alike:
            return None  # an attack, a probe or another task: its gradients were not meant for us
        if not self._books.watching:
            self._watch()
            line.unwatched = line.steps
            return None
        if alike[0].lost[0].number <= self._watching_since:
            return None
        measured = wrongness.of_lost(alike)
        line.saw("defeated", self._clock.steps, alike[0].lost[-1], measured)
        line.repeated_losses += max(ledger.losses for ledger in alike) > 1
        return measured.relative_error if measured else None

    def _saw_wipe(self, owner: Owner, line: StepLine, wiped: list[Ledger]) -> float | None:
        last = wiped[0].lost[-1]
        if not owner.is_stock:
            # An optimizer of one's own may have kept the gradients elsewhere: see if it moves.
            self._watch()
            self._unsure_wipe = (line, self._clock.steps, last, wiped)
            return None
        line.saw("wiped", self._clock.steps, last, wrongness.NOTHING_APPLIED)
        return 1.0

    def step_ended(self) -> None:
        """Settle what could only be told after the step."""
        if self._unsure_wipe is None:
            return
        line, step, last, wiped = self._unsure_wipe
        self._unsure_wipe = None
        if any(ledger.before is not None for ledger in wiped) and not any(
            self._books.has_moved(ledger) for ledger in wiped
        ):
            line.saw("wiped", step, last, wrongness.NOTHING_APPLIED)

    def _watch(self) -> None:
        if not self._books.watching:
            self._books.watching = True
            self._watching_since = self._clock.backwards
