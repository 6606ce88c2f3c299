"""How far apart the gradients are that two runs consumed, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy

SMALLEST_EFFECT = 1e-3
"""Far below the smallest effect a real bug was seen to have, far above rounding."""


@dataclass(frozen=True, slots=True)
class Difference:
    """How far apart two runs are."""

    size: float
    """The largest relative L2 distance over all steps."""
    first_step: int | None
    """The first step, counted from 1, at which they differ by more than `SMALLEST_EFFECT`."""
    missing_steps: int = 0
    """How many steps only one of the two took."""

    @property
    def matters(self) -> bool:
        """Whether any step differs by more than rounding."""
        return self.first_step is not None

    def sentence(self) -> str:
        """The difference in a few words that begin with a verb, as verdicts print it."""
        if self.first_step is None:
            same = "applies the same gradients"
            return same if self.size == 0 else f"differs by only {self.size:.1e}"
        if self.missing_steps and self.size < SMALLEST_EFFECT:
            return f"takes {self.missing_steps} steps more or less, from step {self.first_step}"
        return f"differs from step {self.first_step}, by up to {self.size:.2g}"


def difference_between(first: dict[str, Any], second: dict[str, Any]) -> Difference:
    """How far apart two traces are; a step that only one of them took counts as a difference."""
    size = 0.0
    first_step: int | None = None
    missing = 0
    for key in sorted({*first, *second}, key=_order):
        step = _order(key)[1] + 1
        if key not in first or key not in second:
            missing += 1
            first_step = min(first_step or step, step)
            continue
        distance = _distance(first[key], second[key])
        size = max(size, distance)
        if distance > SMALLEST_EFFECT:
            first_step = min(first_step or step, step)
    return Difference(size, first_step, missing)


def _order(key: str) -> tuple[int, int]:
    optimizer, step = key.split("/")
    return int(optimizer), int(step)


def _distance(one: Any, other: Any) -> float:
    if one.shape != other.shape:
        return 1.0
    if numpy.array_equal(one, other, equal_nan=True):
        return 0.0
    one, other = one.astype("f8"), other.astype("f8")  # squares of large numbers overflow floats
    scale = max(float(numpy.linalg.norm(one)), float(numpy.linalg.norm(other)))
    distance = float(numpy.linalg.norm(one - other))
    relative = distance / scale if scale else 0.0
    return relative if numpy.isfinite(relative) else 1.0
