"""One configuration of a run: answers to tests that hold from its start to its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..program import Ref


@dataclass(frozen=True, slots=True)
class RunConfiguration:
    """Answers to tests that hold for a whole run."""

    answers: Mapping[str | None, bool]
    when: str
    """What it is, as messages say it: `args.amp is false`."""
    absent: frozenset[Ref] = frozenset()
    """What is None or turned off in it, so that nothing is done with it."""

    def scalers_on(self, scalers: set[Ref], always: Callable[[Ref], bool]) -> set[Ref]:
        """The loss scalers that scale in it: what a setting turns off may turn those off, too."""
        if self.absent or not all(self.answers.values()):
            return {scaler for scaler in scalers - self.absent if always(scaler)}
        return scalers

    def excludes(self, other: RunConfiguration) -> bool:
        """Whether no run is in both."""
        return any(other.answers.get(key, value) != value for key, value in self.answers.items())
