"""Cycles: the passes of a loop that a counter and a period pick out."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cycle:
    """The passes whose count leaves one of some remainders when it is divided by the period.

    However it is spelt, `(i + 1) % n == 0` or `i % n == n - 1`, the same passes are the same cycle.
    """

    counter: str
    """What counts, as the code spells it, without anything added to it."""
    period: int | str
    """A number, or how the code spells it."""
    phases: frozenset[int]
    """The remainders of the bare counter. Where the period is no number, -1 is the last of them."""
    start: int | None = None
    """The first value of the counter, where that is known."""

    @property
    def key(self) -> str:
        """A text that is equal for equal cycles."""
        phases = ",".join(str(phase) for phase in sorted(self.phases))
        return f"{self.counter}%{self.period}=={phases}"

    @property
    def picks_one(self) -> bool:
        """Whether it is one pass in n."""
        return len(self.phases) == 1

    @property
    def picks_all_but_one(self) -> bool:
        """Whether it is all passes but one in n."""
        return isinstance(self.period, int) and len(self.phases) == self.period - 1 > 1

    @property
    def picks_all(self) -> bool:
        """Whether it leaves no pass out."""
        return isinstance(self.period, int) and len(self.phases) >= self.period

    def lag_behind(self, other: Cycle) -> int | None:
        """How many passes after the other's this one's come; None if that cannot be computed."""
        if (self.counter, self.period) != (other.counter, other.period):
            return None
        if not (self.picks_one and other.picks_one):
            return None
        lag = next(iter(self.phases)) - next(iter(other.phases))
        return lag % self.period if isinstance(self.period, int) else lag
