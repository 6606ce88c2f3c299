"""Judges clipping: gradients that are still multiplied by the loss scale must not be clipped."""

from __future__ import annotations

from collections.abc import Iterable

from ..books.buffer_account import BufferAccount
from ..call_sites import CallSite
from .clock import Clock
from .scaler_state import ScalerState
from .step_lines import StepLines


class ClippingJudge:
    """Notes on a line that clips what it should not have clipped yet."""

    def __init__(self, clock: Clock, lines: StepLines, scaler: ScalerState) -> None:
        self._clock = clock
        self._lines = lines
        self._scaler = scaler

    def judge(self, accounts: Iterable[BufferAccount], site: CallSite) -> None:
        """These gradients are about to be clipped at this line."""
        for account in accounts:
            found = [self._scaler.still_scaled(key, account.fresh) for key in account.optimizers]
            if found and all(found):
                line = self._lines.at_site(min(account.optimizers), "clipping", site)
                line.steps += 1
                line.saw("scaled", self._clock.steps + 1, found[0])
                return
