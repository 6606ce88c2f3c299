"""The state of GradScalers: which gradients are still multiplied by the loss scale."""

from __future__ import annotations

from collections.abc import Iterable

from ..books.backward_pass import BackwardPass
from ..books.buffer_account import BufferAccount


class ScalerState:
    """Follows the calls: a scaled gradient is right only after `unscale_` or in `scaler.step`."""

    def __init__(self) -> None:
        self.in_use = False
        """A scaler has scaled some loss."""
        self.switched_off = False
        """A scaler was asked to scale some loss, but does nothing in this run."""
        self._unscaled: dict[int, set[BackwardPass]] = {}
        self._stepping: list[int] = []

    def unscaled(self, optimizer: int, accounts: Iterable[BufferAccount]) -> None:
        """A scaler has unscaled the gradients of this optimizer, as they are now."""
        passes = self._unscaled[optimizer] = set()
        known: tuple[BackwardPass, ...] = ()
        for account in accounts:
            if account.fresh is not known:
                known = account.fresh
                passes.update(known)

    def step_begins(self, optimizer: int) -> None:
        """A scaler is about to step this optimizer."""
        self._stepping.append(optimizer)

    def step_ends(self) -> None:
        """A scaler's step has ended."""
        self._unscaled.pop(self._stepping.pop(), None)

    def still_scaled(self, optimizer: int, passes: Iterable[BackwardPass]) -> BackwardPass | None:
        """A pass among these whose gradients are scaled when this optimizer uses them.

        A scaler's step unscales by itself, but not what came after a call of `unscale_`.
        """
        unscaled = self._unscaled.get(optimizer, set())
        if optimizer in self._stepping and unscaled.isdisjoint(passes):
            return None
        return next((each for each in passes if each.scaled and each not in unscaled), None)
