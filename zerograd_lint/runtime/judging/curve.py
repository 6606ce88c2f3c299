"""The curve of a run: gradient norm, error and loss per step, in a fixed amount of memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from ..books.account_book import gradients
from ..books.buffer_account import BufferAccount
from ..books.tensor_content import total_norm
from .clock import Clock

_MOST_POINTS = 64
_LARGE = 2_000_000
_MOST_OFTEN = 8
_SPARED = 4
_MOST_DUE = 64


@dataclass(slots=True)
class Point:
    """One step in the curve."""

    step: int
    turn: int
    """The optimizer's own steps so far: several take turns, and all are to be drawn."""
    owner: int
    """The optimizer's number; 0 for updates written by hand."""
    norm: Tensor | float | None
    loss: Tensor | float | None
    error: float | None


class Curve:
    """A limited number of points: when it is full, every second one goes, old and new."""

    def __init__(self, clock: Clock) -> None:
        self.devices: set[str] = set()
        """Where gradients were used, or would have been had they not been cleared."""
        self._clock = clock
        self._loss: Tensor | None = None
        self._points: list[Point] = []
        self._stride = 1
        self._due: set[int] = set()
        """Optimizers whose next step is to be drawn, once not every step is."""

    def backward_begins(
        self, roots: Sequence[object], scale: Tensor | None, *, by_hand: bool
    ) -> None:
        """Keep the loss if the next step may be drawn; a scaler's factor is no part of it.

        An update written by hand is noticed only after it, so its loss is always kept.
        """
        self._loss = None
        if by_hand or self._stride == 1 or self._due:
            first = roots[0] if roots else None
            if isinstance(first, Tensor) and first.numel() == 1:
                self._loss = first.detach() if scale is None else first.detach() / scale

    def note_device(self, accounts: list[BufferAccount]) -> None:
        """A step used, or should have used, the gradients of these buffers."""
        parameters = (account.parameter() for account in accounts)
        first = next((each for each in parameters if each is not None), None)
        if first is not None:
            self.devices.add(first.device.type)

    def wants(self, owner: int, turn: int, size: int = 0) -> bool:
        """Whether to draw this step; reading large gradients is spared three times out of four."""
        if self._stride > 1:
            self._foresee(owner, turn)
        if size > _LARGE and turn > _MOST_OFTEN and turn % _SPARED:
            return False
        return turn % self._stride == 0

    def _foresee(self, owner: int, turn: int) -> None:
        """Note whether the owner's next step is to be drawn."""
        if (turn + 1) % self._stride:
            self._due.discard(owner)
        elif len(self._due) < _MOST_DUE:  # where optimizers come and go, one is always due
            self._due.add(owner)

    def draw(
        self, owner: int, turn: int, accounts: list[BufferAccount], error: float | None
    ) -> None:
        """Add a point for the step that is about to apply these buffers."""
        first = next(
            (each for account in accounts if (each := account.parameter()) is not None), None
        )
        if first is not None:
            self.devices.add(first.device.type)
        present = gradients(accounts)
        norm = total_norm(present) if present else 0.0
        self._add(Point(self._clock.steps, turn, owner, norm, self._loss, error))

    def _add(self, point: Point) -> None:
        if len(self._points) >= _MOST_POINTS:
            self._stride *= 2
            self._points = [each for each in self._points if each.turn % self._stride == 0]
            if not self.wants(point.owner, point.turn):
                return
        self._points.append(point)

    def to_json(self) -> list[dict[str, float | None]]:
        """The points as plain numbers; only now is a device waited for."""
        return [
            {
                "step": point.step,
                "owner": point.owner,
                "norm": _number(point.norm),
                "loss": _number(point.loss),
                "error": _number(point.error),
            }
            for point in self._points
        ]


def _number(value: Tensor | float | None) -> float | None:
    if value is None:
        return None
    number = float(value)
    return number if math.isfinite(number) else None
