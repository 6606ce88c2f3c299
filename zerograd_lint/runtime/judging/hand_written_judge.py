"""Judges updates written by hand, as the step judge does with those of an optimizer."""

from __future__ import annotations

from ..books.backward_pass import BackwardPass
from ..books.buffer_account import BufferAccount
from ..observation import BY_HAND
from .clock import Clock
from .curve import Curve
from .hand_written_updates import HandWrittenUpdates
from .step_judge import StepJudge
from .step_lines import StepLine, StepLines
from .wrongness import NOTHING_APPLIED

_BY_HAND_ONLY = frozenset({BY_HAND})


class HandWrittenJudge:
    """Counts an update by hand as a step of the line whose backward pass it applied."""

    def __init__(self, clock: Clock, lines: StepLines, steps: StepJudge, curve: Curve) -> None:
        self._clock = clock
        self._lines = lines
        self._steps = steps
        self._curve = curve
        self._updates = HandWrittenUpdates()

    def judge_updates(self, accounts: list[BufferAccount]) -> None:
        """Before the accounts are reconciled: what was applied, and had it been applied before?"""
        moved = [each for each in self._updates.updated(accounts) if each.fresh or each.applied]
        if not moved:
            return
        newest = max(
            (each for account in moved for each in (*account.fresh, *account.applied)),
            key=lambda each: each.number,
        )
        line = self._line(newest)
        line.fed += 1
        stale = [account for account in moved if account.is_stale or account.repeats(BY_HAND)]
        error = self._steps.saw_stale(line, stale) if stale else None
        for account in moved:
            account.consumed(_BY_HAND_ONLY)
        if self._curve.wants(BY_HAND, line.steps):
            self._curve.draw(BY_HAND, line.steps, moved, error)

    def judge_wiped(self, accounts: list[BufferAccount]) -> None:
        """After the accounts are reconciled: was anything cleared before it could be applied?"""
        wiped = self._updates.wiped(accounts)
        if wiped:
            self._curve.note_device(wiped)
            last = wiped[0].lost[-1]
            self._line(last).saw("wiped", self._clock.steps, last, NOTHING_APPLIED)
        for account in accounts:
            if account.lost:
                account.consumed(_BY_HAND_ONLY)

    def _line(self, backward_pass: BackwardPass) -> StepLine:
        self._clock.steps += 1
        site = backward_pass.call.site
        line = self._lines.at_site(BY_HAND, "the update written by hand", site)
        line.steps += 1
        return line
