"""Settings that, where a step runs at all, switch nothing but its zeroing: they are meant so.

`if not deepspeed: zero_grad()` beside `if amp: scaler.step() elif deepspeed: … else: …`: that the
flag decides between backwards and steps as well is no matter to the step of `amp`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..events.event import Consume, Event
from ..flow.explore import BudgetSpent
from .configurations import ONLY_CLEARS
from .entry_analysis import EntryAnalysis
from .run_configuration import RunConfiguration

_Answers = Mapping[str | None, bool]
_MOST_TESTS = 16
"""So many other tests are tried out."""


def only_cleared_in_turn(
    whole: EntryAnalysis,
    inside: EntryAnalysis,
    configuration: RunConfiguration,
    possible: Sequence[RunConfiguration],
) -> frozenset[Consume]:
    """The steps, wrong in one configuration, of which it decides nothing but the zeroing."""
    wrong = {consume for account in inside.accounts for consume in account.stale}
    wrong -= {consume for account in whole.accounts for consume in account.stale}
    if not wrong:
        return frozenset()
    opposite = [other for other in possible if _same_setting(configuration, other)]
    tests = sorted(whole.tests_asked() - configuration.answers.keys())[:_MOST_TESTS]
    try:
        return frozenset(
            consume
            for consume in wrong
            for needed in _needed(consume, whole, tests)
            if _switches_zeroing(whole, {**needed, **configuration.answers}, needed, opposite)
        )
    except BudgetSpent:
        return frozenset(wrong)


def _same_setting(one: RunConfiguration, other: RunConfiguration) -> bool:
    return one.answers.keys() == other.answers.keys() and one.excludes(other)


def _needed(consume: Consume, whole: EntryAnalysis, tests: Sequence[str]) -> Iterator[_Answers]:
    """The answers to other tests without which a step does not run."""
    for test in tests:
        for answer in (True, False):
            if consume not in whole.events_within({test: not answer}):
                yield {test: answer}


def _switches_zeroing(
    whole: EntryAnalysis, chosen: _Answers, needed: _Answers, opposite: Sequence[RunConfiguration]
) -> bool:
    here = whole.events_within(chosen)
    return bool(opposite) and all(
        _is_choice(here ^ whole.events_within({**needed, **other.answers})) for other in opposite
    )


def _is_choice(events: frozenset[Event]) -> bool:
    return all(isinstance(event, ONLY_CLEARS) for event in events)
