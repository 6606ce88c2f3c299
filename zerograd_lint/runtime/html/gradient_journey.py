"""The journey of a gradient through one step, as stacked bars: cleared, filled, applied.

Wrong parts are hatched and missing ones only outlined, so that no colour is needed to read it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape

from ..observation import Observation
from ..wording import shown

_WIDTH, _HEIGHT = 360, 190
_TOP, _BOTTOM, _BAR = 24, 36, 56
_THINNEST = 3
"""No part is so small that it could not be seen."""
_NEW, _WRONG, _GONE = "new", "wrong", "gone"
_HATCH = (
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect class="hatch" width="2.5" height="6"/></pattern></defs>'
)


@dataclass(frozen=True, slots=True)
class _Stage:
    """One moment of the step: what the buffer holds then, from the bottom up."""

    name: str
    parts: tuple[tuple[str, float], ...] = ()


def _stale(wrong: float, right: float) -> tuple[_Stage, ...]:
    both = ((_WRONG, wrong), (_NEW, right))
    return (
        _Stage("before backward", ((_WRONG, wrong),)),
        _Stage("after backward", both),
        _Stage("step applies", both),
    )


def _wiped(wrong: float, right: float) -> tuple[_Stage, ...]:
    return (
        _Stage("after backward", ((_NEW, 1.0),)),
        _Stage("after zeroing", ((_GONE, 1.0),)),
        _Stage("step applies"),
    )


def _defeated(lost: float, kept: float) -> tuple[_Stage, ...]:
    return (
        _Stage("micro-batches", ((_NEW, lost),)),
        _Stage("after zeroing", ((_GONE, lost),)),
        _Stage("step applies", ((_NEW, kept),)),
    )


_JOURNEYS: dict[str, tuple[Callable[[float, float], tuple[_Stage, ...]], str]] = {
    "stale": (_stale, "hatched: left over from earlier steps; solid: new"),
    "leak": (_stale, "hatched: from the other optimizer's loss; solid: from its own"),
    "wiped": (_wiped, "solid: new; outlined: cleared before it was applied"),
    "defeated": (_defeated, "solid: in the buffer; outlined: cleared before it was applied"),
}


def gradient_journey(observation: Observation) -> str:
    """A figure of the worst step; nothing for kinds that have no such picture."""
    worst = observation.worst
    if observation.kind not in _JOURNEYS or worst is None:
        return ""
    stages, legend = _JOURNEYS[observation.kind]
    bars = stages(worst.wrong_norm, worst.right_norm)
    tallest = max(sum(size for _, size in stage.parts) for stage in bars) or 1.0
    numbered = worst.right_norm > 0
    drawn = [
        _bar(stage, (2 * index + 1) * _WIDTH / (2 * len(bars)), tallest, numbered=numbered)
        for index, stage in enumerate(bars)
    ]
    title = f"The gradient's length in step {worst.step}"
    label = escape(f"{title}: {', '.join(stage.name for stage in bars)}; {legend}", quote=True)
    base = _HEIGHT - _BOTTOM
    return (
        f'<figure class="journey"><figcaption>{escape(title)}</figcaption>'
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{label}">'
        f"{_HATCH}{''.join(drawn)}"
        f'<line class="grid" x1="4" x2="{_WIDTH - 4}" y1="{base}" y2="{base}"/>'
        f"</svg><p>{escape(legend)}</p></figure>"
    )


def _bar(stage: _Stage, middle: float, tallest: float, *, numbered: bool) -> str:
    base = float(_HEIGHT - _BOTTOM)
    parts = []
    for kind, size in stage.parts:
        height = max(_THINNEST, (_HEIGHT - _BOTTOM - _TOP) * size / tallest)
        base -= height
        parts.append(
            f'<rect class="{kind}" x="{middle - _BAR / 2:.1f}" y="{base:.1f}" '
            f'width="{_BAR}" height="{height:.1f}"/>'
        )
    amounts = [shown(float(f"{size:.2g}")) for _, size in stage.parts] if numbered else []
    above = " + ".join(amounts) if stage.parts else "nothing"
    return (
        "".join(parts)
        + f'<text x="{middle:.1f}" y="{base - 6:.1f}" text-anchor="middle">{above}</text>'
        + f'<text x="{middle:.1f}" y="{_HEIGHT - _BOTTOM + 17}" text-anchor="middle">'
        f"{escape(stage.name)}</text>"
    )
