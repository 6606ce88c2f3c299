"""Gradient norm, error and loss per step, in a fixed amount of memory however long the run."""

from __future__ import annotations

import math
from dataclasses import dataclass

from torch import Tensor

_MOST_POINTS = 128
_LARGE = 2_000_000
_MOST_OFTEN = 8
_SPARED = 4


@dataclass(slots=True)
class Point:
    step: int
    turn: int
    """The owner's own steps so far: several optimizers take turns, and all are to be drawn."""
    owner: int
    """The optimizer's number; 0 for updates written by hand."""
    norm: Tensor | float | None
    loss: Tensor | float | None
    error: float | None


class Curve:
    """When it is full, every second point goes and the points to come are twice as far apart."""

    def __init__(self) -> None:
        self._points: list[Point] = []
        self._stride = 1

    def wants(self, turn: int, size: int = 0) -> bool:
        """Whether to draw this step; reading large gradients is spared three times out of four."""
        if size > _LARGE and turn > _MOST_OFTEN and turn % _SPARED:
            return False
        return turn % self._stride == 0

    def add(self, point: Point) -> None:
        if len(self._points) >= _MOST_POINTS:
            self._stride *= 2
            self._points = [each for each in self._points if each.turn % self._stride == 0]
            if not self.wants(point.turn):
                return
        self._points.append(point)

    def to_json(self) -> list[dict[str, float | None]]:
        """Plain numbers; only now is a device waited for."""
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
