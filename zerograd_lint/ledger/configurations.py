"""Configurations: the values that settings may have for a whole run, one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from ..events.event import Ask, Consume, Deposit, Escape, Event, HandOver, Read, Zero
from ..flow.invariant_tests import InvariantTest, InvariantTests
from ..flow.invocations import Invocations
from ..program import Function
from .automata.ignored_events import IGNORED
from .run_configuration import RunConfiguration
from .windows_of_one import without_windows

_MOST = 8
"""Configurations that are followed from one entry point."""
_IS_SET = " is not None"
ONLY_CLEARS = (Zero, Read, HandOver, Ask)
"""Events that a switch decides about which leaves all but the zeroing as it is."""


class RunSettings(NamedTuple):
    """What is known of the settings that an entry point tests."""

    constants: Mapping[str | None, bool]
    """The answers to tests in loops that are the same in every run."""
    configurations: list[RunConfiguration]
    """Those in which it may do something else."""
    asked: frozenset[str | None]
    """The keys of the tests whose answers paths must remember: not those that merely turn unread
    code on, after which nothing is known anyway."""


def run_settings(root: Function, invocations: Invocations) -> RunSettings:
    """The settings that an entry point tests, and the configurations to follow it in."""
    tests = [test for test in InvariantTests(root, invocations).all() if _decides(test)]
    # Around a loop, a constant is a switch that turns training on now and off then.
    fixed = [test for test in tests if len(test.answers) == 1 and test.only_in_loops]
    constants: dict[str | None, bool] = {test.key: next(iter(test.answers)) for test in fixed}
    tests = [test for test in tests if test not in fixed]
    tests.sort(key=_rank)
    each = list(islice(_each(tests), _MOST))
    unread = {test.key for test in tests if _switched_unread(test)}
    asked = frozenset(key for configuration in each for key in configuration.answers) - unread
    also = [_without_unread(tests), without_windows(root, invocations)]
    return RunSettings(constants, [*each, *filter(None, also)], asked)


def _decides(test: InvariantTest) -> bool:
    """It decides about more than a zeroing: a switch for that alone is meant so.

    Nor does it count where it merely turns a forward, a schedule or a log on and off.
    """
    events = [e for e in test.decided if isinstance(e, Event) and not isinstance(e, ONLY_CLEARS)]
    followed = any(not isinstance(event, IGNORED) for event in events)
    return followed or (bool(events) and test.leads_away)


def _rank(test: InvariantTest) -> int:
    """Those that decide between backwards or steps come first, if there are too many."""
    if any(isinstance(event, Deposit | Consume) for event in test.decided):
        return 0
    return 1 if any(not isinstance(event, IGNORED) for event in test.decided) else 2


def _each(tests: list[InvariantTest]) -> Iterator[RunConfiguration]:
    for test in tests:
        rivals = _rivals(test, tests)
        chosen: dict[str | None, bool] = {test.key: True}
        chosen.update((rival.key, False) for rival in rivals)
        if True in test.answers and _may_tell(test, True):
            yield RunConfiguration(chosen, _said(test.atom.setting, True))
        # Of several values, that it is none of them is no configuration.
        may_fail = not rivals and False in test.answers and not _asks_for_owner(test)
        if may_fail and _may_tell(test, False):
            yield _single(test, False)


def _rivals(test: InvariantTest, tests: list[InvariantTest]) -> list[InvariantTest]:
    """The tests that compare the same with another value: of all of them, only one can hold."""
    return [
        other
        for other in tests
        if other is not test
        and test.atom.compared
        and (other.atom.compared, other.atom.reads) == (test.atom.compared, test.atom.reads)
    ]


def _single(test: InvariantTest, answer: bool) -> RunConfiguration:
    absent = frozenset() if answer or test.atom.compared else test.reads
    return RunConfiguration({test.key: answer}, _said(test.atom.setting, answer), absent)


def _may_tell(test: InvariantTest, answer: bool) -> bool:
    """Whether an answer may show more than no answer: not if all that it adds is unread code."""
    unread = _switched_unread(test)
    return not unread or bool(unread & test.prevented[answer])


def _switched_unread(test: InvariantTest) -> set[object]:
    """The unread code that a setting turns on, if it decides about nothing else."""
    followed = {event for event in test.decided if not isinstance(event, (*IGNORED, *ONLY_CLEARS))}
    return followed if all(isinstance(event, Escape) for event in followed) else set()


def _without_unread(tests: list[InvariantTest]) -> RunConfiguration | None:
    """The configuration in which several settings leave out all unread code that they can."""
    singles: list[RunConfiguration] = []
    left_out: set[object] = set()
    for test in tests:
        unread = _switched_unread(test) - left_out
        leaving = [answer for answer in sorted(test.answers) if unread <= test.prevented[answer]]
        if unread and leaving and not _rivals(test, tests):
            singles.append(_single(test, leaving[0]))
            left_out |= unread
    if len(singles) < 2:
        return None
    return RunConfiguration(
        {key: answer for single in singles for key, answer in single.answers.items()},
        " and ".join(single.when for single in singles),
        frozenset().union(*(single.absent for single in singles)),
    )


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
