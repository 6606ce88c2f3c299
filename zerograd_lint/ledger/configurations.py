"""Configurations: the values that settings may have for a whole run, one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from ..events.event import Ask, Consume, Deposit, Event, HandOver, Read, Zero
from ..flow.invariant_tests import InvariantTest, InvariantTests
from ..flow.invocations import Invocations
from ..program import Function

_MOST = 8
"""Configurations that are followed from one entry point."""
_IS_SET = " is not None"
ONLY_CLEARS = (Zero, Read, HandOver, Ask)
"""Events that a switch decides about which leaves all but the zeroing as it is."""


@dataclass(frozen=True, slots=True)
class RunConfiguration:
    """Answers to tests that hold for a whole run."""

    answers: Mapping[str | None, bool]
    when: str
    """What it is, as messages say it: `args.amp is false`."""

    def excludes(self, other: RunConfiguration) -> bool:
        """Whether no run is in both."""
        return any(other.answers.get(key, value) != value for key, value in self.answers.items())


class RunSettings(NamedTuple):
    """What is known of the settings that an entry point tests."""

    constants: Mapping[str | None, bool]
    """The answers to tests in loops that are the same in every run."""
    configurations: list[RunConfiguration]
    """Those in which it may do something else."""


def run_settings(root: Function, invocations: Invocations) -> RunSettings:
    """What an entry point may be told to do."""
    tests = [test for test in InvariantTests(root, invocations).all() if _decides(test)]
    # Around a loop, a constant is a switch that turns training on now and off then.
    fixed = [test for test in tests if len(test.answers) == 1 and test.only_in_loops]
    constants: dict[str | None, bool] = {test.key: next(iter(test.answers)) for test in fixed}
    tests = [test for test in tests if test not in fixed]
    # Those that decide between backwards or steps come first, if there are too many.
    tests.sort(key=lambda test: not any(isinstance(e, Deposit | Consume) for e in test.decided))
    return RunSettings(constants, list(islice(_each(tests), _MOST)))


def _decides(test: InvariantTest) -> bool:
    """It decides about more than a zeroing: a switch for that alone is somebody's choice."""
    return any(
        isinstance(event, Event) and not isinstance(event, ONLY_CLEARS) for event in test.decided
    )


def _each(tests: list[InvariantTest]) -> Iterator[RunConfiguration]:
    for test in tests:
        rivals = [
            other
            for other in tests
            if other is not test
            and test.atom.compared
            and (other.atom.compared, other.atom.reads) == (test.atom.compared, test.atom.reads)
        ]
        chosen: dict[str | None, bool] = {test.key: True}
        chosen.update((rival.key, False) for rival in rivals)
        if True in test.answers:
            yield RunConfiguration(chosen, _said(test.atom.setting, True))
        # Of several values, that it is none of them is no configuration.
        if not rivals and False in test.answers and not _asks_for_owner(test):
            yield RunConfiguration({test.key: False}, _said(test.atom.setting, False))


def _asks_for_owner(test: InvariantTest) -> bool:
    """`if self._optimizer: self._optimizer.zero_grad()`: it is there, under whatever name it steps.

    Without it nothing trains, unless something else does, and that is wrong with it as well.
    """
    return not test.atom.compared and any(
        isinstance(event, Zero | Consume) and event.subject in test.reads for event in test.decided
    )


def _said(setting: str, answer: bool) -> str:
    if setting.endswith(_IS_SET):
        return setting if answer else f"{setting.removesuffix(_IS_SET)} is None"
    return f"{setting} is {'true' if answer else 'false'}"
