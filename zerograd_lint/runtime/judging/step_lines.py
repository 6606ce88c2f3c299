"""The lines of a program that take steps, and which of the oddities seen there are bugs.

One odd step proves little: a guard may clear a gradient, a tail of micro-batches may be dropped, a
step may run once to please a scheduler. What happens step after step, and regularly, is a bug.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..books.backward_pass import BackwardPass
from ..call_sites import CallChain, CallSite
from ..observation import Observation, WorstStep
from .wrongness import Wrongness


@dataclass(slots=True)
class Tally:
    """How often one kind of bug was seen at one line."""

    count: int = 0
    first_step: int = 0
    deposit: CallSite | None = None
    measured: int = 0
    error: float = 0.0
    worst_error: float = -1.0
    worst: WorstStep | None = None
    cosine: float = 0.0
    share: float = 0.0

    def add(self, step: int, deposit: CallSite | None, wrongness: Wrongness | None) -> None:
        """Count one more sighting, with its error if that was measured."""
        if not self.count:
            self.first_step = step
        self.count += 1
        self.deposit = self.deposit or deposit
        if wrongness is not None:
            self.measured += 1
            self.error += wrongness.relative_error
            if wrongness.relative_error > self.worst_error:
                self.worst_error = wrongness.relative_error
                self.worst = WorstStep(
                    step,
                    wrongness.size,
                    wrongness.cosine,
                    wrongness.wrong_norm,
                    wrongness.right_norm,
                )
            self.cosine += wrongness.cosine
            self.share += wrongness.wrong_share


@dataclass(slots=True)
class StepLine:
    """One line that steps one optimizer (or updates by hand)."""

    optimizer: int
    owner: str
    site: CallSite
    steps: int = 0
    fed: int = 0
    """Steps that had gradients to apply."""
    unfed: int = 0
    """Steps that had none, since no backward pass had run."""
    first_was_unfed: bool = False
    losses: Counter[int] = field(default_factory=Counter)
    """Steps by how often gradients were lost before them."""
    unwatched: int = 0
    """Steps taken before lost gradients were watched for."""
    tallies: dict[str, Tally] = field(default_factory=dict)

    def saw(
        self,
        kind: str,
        step: int,
        deposit: BackwardPass | None = None,
        wrongness: Wrongness | None = None,
    ) -> None:
        """Count one sighting of this kind of bug, with the pass it came from and its error."""
        tally = self.tallies.setdefault(kind, Tally())
        tally.add(step, deposit.call.site if deposit else None, wrongness)

    def saw_unfed(self, step: int) -> None:
        """A step ran although no backward pass had left anything for it."""
        self.unfed += 1
        self.first_was_unfed |= self.steps == 1
        self.saw("unfed", step)

    def observations(self, left_over: set[int]) -> list[Observation]:
        """The kinds that were seen often enough to be called bugs."""
        return [
            self._observation(kind, tally)
            for kind, tally in self.tallies.items()
            if self._counts(kind, tally, left_over)
        ]

    def _counts(self, kind: str, tally: Tally, left_over: set[int]) -> bool:
        if kind == "wiped":
            return tally.count * 10 >= self.steps
        if kind == "defeated":
            # A dropped tail costs one window per epoch, and a guard drops batches as they come; a
            # misplaced zero_grad costs every window, and mostly the same number of micro-batches.
            steps = self.steps - self.unwatched
            (_, most_common), *_ = self.losses.most_common(1)
            return tally.count * 10 >= steps * 9 or most_common * 3 >= steps * 2
        if kind == "unfed":
            never_fed = self.fed == 0 and self.unfed >= 2
            one_behind = self.first_was_unfed and self.unfed == 1 and self.optimizer in left_over
            return never_fed or (one_behind and self.fed > 0)
        return True

    def _observation(self, kind: str, tally: Tally) -> Observation:
        def mean(total: float) -> float | None:
            return total / tally.measured if tally.measured else None

        return Observation(
            kind=kind,
            owner=self.owner,
            site=self.site,
            deposit=tally.deposit,
            steps_affected=tally.count,
            steps_seen=self.steps,
            first_step=tally.first_step,
            relative_error=mean(tally.error),
            worst_relative_error=tally.worst_error if tally.measured else None,
            cosine=mean(tally.cosine),
            wrong_share=mean(tally.share),
            optimizer=self.optimizer,
            worst=tally.worst,
        )


class StepLines:
    """All step lines of a program, by optimizer and place."""

    def __init__(self) -> None:
        self._by_site: dict[tuple[int, CallSite], StepLine] = {}
        self._by_call: dict[tuple[int, CallChain], StepLine] = {}

    def at_site(self, optimizer: int, owner: str, site: CallSite) -> StepLine:
        """The step line of this optimizer at this place; `owner` is its name in reports."""
        line = self._by_site.get((optimizer, site))
        if line is None:
            line = self._by_site[optimizer, site] = StepLine(optimizer, owner, site)
        return line

    def at_call(self, optimizer: int, owner: str, call: CallChain) -> StepLine:
        """The same as `at_site`, but found faster: calls are compared by identity."""
        line = self._by_call.get((optimizer, call))
        if line is None:
            line = self._by_call[optimizer, call] = self.at_site(optimizer, owner, call.site)
        return line

    def observations(self, left_over: set[int]) -> list[Observation]:
        """The bugs at all lines; `left_over` are the optimizers with a pass never applied."""
        return [
            observation
            for line in self._by_site.values()
            for observation in line.observations(left_over)
        ]
