"""A small line chart as inline SVG."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from ..wording import shown
from .chart_scale import ChartScale, step_scale, value_scale

_WIDTH, _HEIGHT = 340, 200
_RIGHT, _TOP, _BOTTOM = 14, 12, 40
_LETTER = 7.4
"""The width of a digit in a label."""

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
    vertical = value_scale(values, _HEIGHT - _BOTTOM, _TOP)
    left = 12 + _LETTER * max(len(shown(tick)) for tick in vertical.ticks)
    steps = [step for line in lines for step, _ in line.points]
    horizontal = step_scale(steps, left, _WIDTH - _RIGHT)
    kind = ", logarithmic" if vertical.logarithmic else ""
    parts = [_grid(vertical, left), _steps(horizontal)]
    parts += [_path(line, horizontal, vertical) for line in lines]
    names = " and ".join(line.name for line in lines)
    label = escape(f"{title} per step, {names}", quote=True)
    return (
        f"<figure><figcaption>{escape(title + kind)}</figcaption>"
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">'
        f"{''.join(parts)}</svg></figure>"
    )


def _grid(scale: ChartScale, left: float) -> str:
    return "".join(
        f'<line class="grid" x1="{left:.1f}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
        f'<text x="{left - 6:.1f}" y="{y + 4:.1f}" text-anchor="end">{shown(tick)}</text>'
        for tick in scale.ticks
        for y in [scale.place(tick)]
    )


def _steps(scale: ChartScale) -> str:
    ticks = "".join(
        f'<text x="{scale.place(tick):.1f}" y="{_HEIGHT - 22}" text-anchor="middle">{tick:.0f}'
        "</text>"
        for tick in scale.ticks
    )
    middle = (scale.start + scale.end) / 2
    return ticks + f'<text x="{middle:.1f}" y="{_HEIGHT - 5}" text-anchor="middle">step</text>'


def _path(line: Line, horizontal: ChartScale, vertical: ChartScale) -> str:
    places = [(horizontal.place(step), vertical.place(value)) for step, value in line.points]
    if len(places) == 1:
        return (
            f'<circle class="{line.style}" cx="{places[0][0]:.1f}" cy="{places[0][1]:.1f}" r="3"/>'
        )
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return f'<path class="line {line.style}" d="{path}"/>'
