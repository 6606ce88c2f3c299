"""Scales of a chart: from values to places, with ticks at round numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass

_LOGARITHMIC_FROM = 300
"""Values spread by more than this factor are drawn on a logarithmic scale."""
_TICKS = 4


@dataclass(frozen=True, slots=True)
class ChartScale:
    """Round ticks, and the place of every value between the first and the last of them."""

    ticks: list[float]
    start: float
    end: float
    logarithmic: bool = False

    def place(self, value: float) -> float:
        """Where to draw this value."""
        low, high = self._position(self.ticks[0]), self._position(self.ticks[-1])
        share = (self._position(value) - low) / (high - low)
        return self.start + share * (self.end - self.start)

    def _position(self, value: float) -> float:
        return math.log10(value) if self.logarithmic else value


def value_scale(values: list[float], start: float, end: float) -> ChartScale:
    """A scale for measured values: from zero, or logarithmic where they spread far."""
    low, high = min(values), max(values)
    if low > 0 and high / low > _LOGARITHMIC_FROM:
        return ChartScale(_powers_of_ten(low, high), start, end, logarithmic=True)
    return ChartScale(_round_ticks(min(low, 0.0), high), start, end)


def step_scale(steps: list[float], start: float, end: float) -> ChartScale:
    """A scale for numbers of steps, which have no fractions."""
    return ChartScale(_round_ticks(0.0, max(steps), whole=True), start, end)


def _round_ticks(low: float, high: float, *, whole: bool = False) -> list[float]:
    span = high - low or abs(high) or 1.0
    rough = span / _TICKS
    magnitude = 10.0 ** math.floor(math.log10(rough))
    distance = next(f * magnitude for f in (1, 2, 5, 10) if f * magnitude >= rough * 0.999)
    if whole:
        distance = max(1.0, distance)
    first, last = math.floor(low / distance), math.ceil(high / distance - 1e-9)
    return [number * distance for number in range(first, max(last, first + 1) + 1)]


def _powers_of_ten(low: float, high: float) -> list[float]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    apart = max(1, math.ceil((last - first) / _TICKS))
    last += -(last - first) % apart
    return [10.0**power for power in range(first, last + 1, apart)]
