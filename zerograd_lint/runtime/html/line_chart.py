"""A small line chart as inline SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

_WIDTH, _HEIGHT = 340, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 10, 10, 26
_TICKS = 4
_LOGARITHMIC_FROM = 300
"""Values spread by more than this factor are drawn on a logarithmic scale."""

Points = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Line:
    """One curve of a chart."""

    name: str
    style: str
    points: Points


def chart(title: str, lines: list[Line]) -> str:
    """A figure with its caption; nothing at all when there is nothing to draw."""
    lines = [line for line in lines if line.points]
    if not lines:
        return ""
    values = [value for line in lines for _, value in line.points]
    steps = [step for line in lines for step, _ in line.points]
    vertical = _Scale.over(values, _HEIGHT - _BOTTOM, _TOP, may_be_logarithmic=True)
    horizontal = _Scale.over(steps, _LEFT, _WIDTH - _RIGHT, may_be_logarithmic=False)
    kind = ", logarithmic" if vertical.logarithmic else ""
    parts = [_grid(vertical), _steps(horizontal)]
    parts += [_path(line, horizontal, vertical) for line in lines]
    names = " and ".join(line.name for line in lines)
    label = escape(f"{title} per step, {names}", quote=True)
    return (
        f"<figure><figcaption>{escape(title + kind)}</figcaption>"
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg></figure>"
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    low: float
    high: float
    start: float
    end: float
    logarithmic: bool

    @classmethod
    def over(
        cls, values: list[float], start: float, end: float, *, may_be_logarithmic: bool
    ) -> _Scale:
        low, high = min(values), max(values)
        if may_be_logarithmic and low > 0 and high / low > _LOGARITHMIC_FROM:
            return cls(math.log10(low), math.log10(high), start, end, True)
        if may_be_logarithmic:
            low = min(low, 0.0)
        if high == low:
            high = low + 1
        return cls(low, high, start, end, False)

    def place(self, value: float) -> float:
        position = math.log10(value) if self.logarithmic else value
        share = (position - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        points = [self.low + (self.high - self.low) * k / (_TICKS - 1) for k in range(_TICKS)]
        return [10**point for point in points] if self.logarithmic else points


def _grid(scale: _Scale) -> str:
    return "".join(
        f'<line class="grid" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{_shown(tick)}</text>'
        for tick in scale.ticks()
        for y in [scale.place(tick)]
    )


def _shown(tick: float) -> str:
    return f"{tick:.3g}" if abs(tick) >= 0.1 or tick == 0 else f"{tick:.1g}"


def _steps(scale: _Scale) -> str:
    ticks = sorted({round(tick) for tick in scale.ticks()})
    return "".join(
        f'<text x="{scale.place(tick):.1f}" y="{_HEIGHT - 8}" text-anchor="middle">{tick}</text>'
        for tick in ticks
        if scale.low <= tick <= scale.high
    )


def _path(line: Line, horizontal: _Scale, vertical: _Scale) -> str:
    places = [(horizontal.place(step), vertical.place(value)) for step, value in line.points]
    if len(places) == 1:
        return (
            f'<circle class="{line.style}" cx="{places[0][0]:.1f}" cy="{places[0][1]:.1f}" r="3"/>'
        )
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return f'<path class="line {line.style}" d="{path}"/>'
