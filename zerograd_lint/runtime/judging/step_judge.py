"""Judges each step: do the gradients it is about to apply come from where they should?"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..books.backward_pass import BackwardPass
from ..books.buffer_account import BufferAccount
from ..books.optimizers import OptimizerRecord
from ..books.scrutiny import Scrutiny
from . import wrongness
from .clock import Clock
from .source_judge import SourceJudge
from .step_lines import StepLine


@dataclass(slots=True)
class _Sorted:
    """The accounts of one step, sorted by what became of their gradients."""

    fed: int = 0
    """How many hold gradients that no step has applied."""
    unclear: int = 0
    """How many hold something of unknown origin."""
    stale: list[BufferAccount] = field(default_factory=list)
    """Those with gradients that had been applied before."""
    thinned: list[BufferAccount] = field(default_factory=list)
    """Those with fresh gradients of which a part was cleared."""
    wiped: list[BufferAccount] = field(default_factory=list)
    """Those whose gradients were all cleared."""

    def add(self, account: BufferAccount, optimizer: int) -> None:
        if account.fresh:
            self.fed += 1
            if account.applied:
                self.stale.append(account)
            if account.lost:
                self.thinned.append(account)
        elif optimizer in account.applied_by:
            self.stale.append(account)
        elif account.rewritten or account.vanished or account.applied:
            self.unclear += 1
        elif account.lost:
            self.wiped.append(account)


@dataclass(frozen=True, slots=True)
class UnsureWipe:
    """A step that had nothing to apply, unless its optimizer kept the gradients elsewhere."""

    line: StepLine
    step: int
    last_lost: BackwardPass
    accounts: list[BufferAccount]


class StepJudge:
    """Sorts the accounts of one step into right and wrong, and notes the wrong on its line."""

    def __init__(self, clock: Clock, scrutiny: Scrutiny, sources: SourceJudge) -> None:
        self._clock = clock
        self._scrutiny = scrutiny
        self._sources = sources
        self._watching_since = 0
        self.unsure_wipe: UnsureWipe | None = None
        """What can be judged only after the running step."""

    def apply(
        self, optimizer: OptimizerRecord, line: StepLine, accounts: list[BufferAccount]
    ) -> float | None:
        """Note what is wrong with this step, and that it was taken.

        Returns the relative error of what it applies, where that is known.
        """
        if self._scrutiny.in_doubt:
            self._watch()
        known: tuple[BackwardPass, ...] = ()
        for account in accounts:
            fresh = account.fresh
            if not fresh or account.applied or account.lost or account.lender is not None:
                return self._apply_odd(optimizer, line, accounts)
            # Nearly always all accounts of a step hold the very same passes.
            if fresh is not known:
                known = fresh
                self._note_applied(optimizer.key, known)
        # The usual case, and the one whose cost matters: all is fresh, and nothing else is there.
        line.fed += 1
        self._sources.judge(optimizer, line, accounts)
        for account in accounts:
            account.applied = account.fresh
            account.applied_by = optimizer.keys
            account.fresh = ()
        return None

    def _apply_odd(
        self, optimizer: OptimizerRecord, line: StepLine, accounts: list[BufferAccount]
    ) -> float | None:
        for passes in {account.fresh for account in accounts}:
            self._note_applied(optimizer.key, passes)
        error = self._judge(optimizer, line, accounts)
        for account in accounts:
            account.consumed(optimizer.keys)
        return error

    def _judge(
        self, optimizer: OptimizerRecord, line: StepLine, accounts: list[BufferAccount]
    ) -> float | None:
        found = _Sorted()
        for account in accounts:
            found.add(account, optimizer.key)
        has_content = bool(found.fed or found.unclear)
        line.fed += has_content
        if found.fed:
            self._sources.judge(optimizer, line, accounts)
        if found.stale:
            return self._judge_stale(line, found.stale)
        if found.thinned:
            return self._saw_losses(line, found.thinned)
        if has_content:
            return None
        if found.wiped:
            return self._saw_wipe(optimizer, line, found.wiped)
        # An optimizer of the user's own may need no gradients: it shrinks, projects or averages.
        if optimizer.is_stock and any(account.can_be_fed() for account in accounts):
            line.saw_unfed(self._clock.steps)
        return None

    def _judge_stale(self, line: StepLine, stale: list[BufferAccount]) -> float | None:
        if not self._scrutiny.watching and any(account.touched for account in stale):
            # Clipped leftovers are leftovers, but overwritten ones are not: look at the next.
            self._watch()
            return None
        return self.saw_stale(line, stale)

    def saw_stale(self, line: StepLine, stale: list[BufferAccount]) -> float | None:
        """Gradients that had been applied before are among those of this step."""
        self._scrutiny.measuring = True
        measured = wrongness.of_surplus(stale)
        newest = (stale[0].fresh or stale[0].applied)[-1]
        line.saw("stale", self._clock.steps, newest, measured)
        return measured.relative_error if measured else None

    def _saw_losses(self, line: StepLine, thinned: list[BufferAccount]) -> float | None:
        """Passes of the very line that feeds this step were lost: is accumulation defeated?"""
        alike = [
            account
            for account in thinned
            # Where another optimizer had its turn, nothing was meant to be accumulated.
            if not account.may_be_replaced()
            and {each.call.lines for each in account.lost if not each.applied_at}
            & {each.call.lines for each in account.fresh}
        ]
        if not alike:
            return None  # an attack, a probe or another task, not meant for this step
        if not self._scrutiny.watching:
            self._watch()
            line.unwatched = line.steps
            return None
        if alike[0].lost[0].number <= self._watching_since or wrongness.lost_overflowed(alike):
            return None  # what a NaN guard drops should not be applied
        measured = wrongness.of_lost(alike)
        line.saw("defeated", self._clock.steps, alike[0].lost[-1], measured)
        line.losses[max(account.times_lost for account in alike)] += 1
        return measured.relative_error if measured else None

    def _saw_wipe(
        self, optimizer: OptimizerRecord, line: StepLine, wiped: list[BufferAccount]
    ) -> float | None:
        last = wiped[0].lost[-1]
        if not optimizer.is_stock:
            # An optimizer of the user's own may have kept the gradients elsewhere: does it move?
            self._watch()
            self.unsure_wipe = UnsureWipe(line, self._clock.steps, last, wiped)
            return None
        line.saw("wiped", self._clock.steps, last, wrongness.NOTHING_APPLIED)
        return 1.0

    def step_ended(self) -> None:
        """Decide what could only be seen after the step."""
        wipe, self.unsure_wipe = self.unsure_wipe, None
        if wipe is None:
            return
        if any(account.snapshot is not None for account in wipe.accounts) and not any(
            account.parameter_moved() for account in wipe.accounts
        ):
            wipe.line.saw("wiped", wipe.step, wipe.last_lost, wrongness.NOTHING_APPLIED)

    def _watch(self) -> None:
        if not self._scrutiny.watching:
            self._scrutiny.watching = True
            self._watching_since = self._clock.backwards

    def _note_applied(self, key: int, passes: tuple[BackwardPass, ...]) -> None:
        for each in passes:
            each.applied_at[key] = self._clock.backwards
