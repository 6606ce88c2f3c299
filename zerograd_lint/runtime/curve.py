"""Gradient norm, error and loss per step, in a fixed amount of memory however long the run."""

from __future__ import annotations

import math
from dataclasses import dataclass

from torch import Tensor

_MOST_POINTS = 128


@dataclass(slots=True)
class Point:
    step: int
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

    def wants(self, step: int) -> bool:
        return step % self._stride == 0

    def add(self, point: Point) -> None:
        if len(self._points) >= _MOST_POINTS:
            self._stride *= 2
            self._points = [each for each in self._points if each.step % self._stride == 0]
            if not self.wants(point.step):
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
