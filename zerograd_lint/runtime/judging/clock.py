"""How far a program's training has come."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Clock:
    """Counts the steps and backward passes so far."""

    steps: int = 0
    backwards: int = 0
