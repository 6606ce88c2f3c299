"""Judges the losses behind a step: a leak from another optimizer's loss, or a scaled loss."""

from __future__ import annotations

from ..books.buffer_account import BufferAccount
from ..books.optimizers import OptimizerRecord, OptimizerRecords
from . import wrongness
from .clock import Clock
from .leaks import Leaks
from .scaler_state import ScalerState
from .step_lines import StepLine


class SourceJudge:
    """Notes on a step's line where its gradients should not have come from."""

    def __init__(
        self, clock: Clock, optimizers: OptimizerRecords, leaks: Leaks, scaler: ScalerState
    ) -> None:
        self._clock = clock
        self._optimizers = optimizers
        self._leaks = leaks
        self._scaler = scaler

    def judge(
        self, optimizer: OptimizerRecord, line: StepLine, accounts: list[BufferAccount]
    ) -> None:
        """Note a leak or a scaled loss among the passes that this step applies."""
        fresh = accounts[0].fresh if accounts else ()
        if len(self._optimizers) > 1 or not fresh:
            fresh = max((account.fresh for account in accounts), key=len, default=())
            foreign = self._leaks.find(optimizer.key, fresh) if len(fresh) > 1 else None
            if foreign is not None:
                line.saw("leak", self._clock.steps, foreign, wrongness.of_surplus(accounts))
        if self._scaler.in_use:
            scaled = self._scaler.still_scaled(optimizer.key, fresh)
            if scaled is not None:
                line.saw("scaled", self._clock.steps, scaled)
