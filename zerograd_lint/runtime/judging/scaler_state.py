"""The state of GradScalers: which losses were scaled and which gradients unscaled."""

from __future__ import annotations


class ScalerState:
    """Follows the calls: a scaled gradient is right only after `unscale_` or in `scaler.step`."""

    def __init__(self) -> None:
        self._loss_is_scaled = False
        self._unscaled: set[int] = set()
        self._stepping: list[int] = []

    def loss_scaled(self) -> None:
        """A scaler has scaled a loss."""
        self._loss_is_scaled = True

    def next_backward_is_scaled(self) -> bool:
        """True once per `scaler.scale`, for the backward that follows it."""
        answer, self._loss_is_scaled = self._loss_is_scaled, False
        return answer

    def unscaled(self, optimizer: int) -> None:
        """A scaler has unscaled the gradients of this optimizer."""
        self._unscaled.add(optimizer)

    def step_begins(self, optimizer: int) -> None:
        """A scaler is about to step this optimizer."""
        self._stepping.append(optimizer)

    def step_ends(self) -> None:
        """A scaler's step has ended."""
        self._unscaled.discard(self._stepping.pop())

    def is_scaled_for(self, optimizer: int) -> bool:
        """Whether gradients of a scaled loss are still scaled when this optimizer uses them."""
        return optimizer not in self._unscaled and optimizer not in self._stepping
