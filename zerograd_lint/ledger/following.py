"""Send automata along the paths of one entry point, with as little remembered as will do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Protocol, TypeVar

from ..events.event import Event
from ..flow.explore import BudgetSpent, Enough
from ..flow.facts import Assumed
from ..flow.machine import Machine, State
from ..flow.recall import Recall
from ..program import Environment, Function
from .allowance import Allowance
from .automata.census import Census


class Log(Machine[State], Protocol[State]):
    """An automaton that writes down the states that arrive at some events."""

    def may_be_wrong(self) -> bool:
        """Whether it has noted anything, on any path, that a rule could report."""


LogKind = TypeVar("LogKind", bound=Log)  # type: ignore[type-arg]  # of whatever states


class Following:
    """Follows an entry point under the assumption of some answers."""

    def __init__(self, recall: Recall, allowance: Allowance) -> None:
        self._recall = recall
        self._forgetful = replace(recall, tests=frozenset())
        self._allowance = allowance
        self.asked: set[str | None] = set()
        """The keys of the tests that were asked on the way."""

    def assuming(self, assumed: Assumed) -> Following:
        """The same with these answers assumed as well."""
        more = {**self._recall.assumed, **assumed}
        return Following(replace(self._recall, assumed=more), self._allowance)

    def assuming_nothing(self) -> Following | None:
        """The same for all answers that tests may have; None if it is for all of them already."""
        if not self._recall.assumed:
            return None
        return Following(replace(self._recall, assumed={}), self._allowance)

    def tests(self) -> set[str]:
        """The keys of the tests whose answers paths remember."""
        return {key for key in self._recall.tests if isinstance(key, str)}

    def log(self, make: Callable[[], LogKind], start: Function, state: object) -> LogKind:
        """What an automaton notes on all paths that can happen.

        First as if a test could answer anew whenever it is asked. That takes in all paths that
        can happen and more, in a fraction of the time: if nothing is wrong on any of them, as in
        most code, it need not be found out which of them can happen. If something is, what else
        there is on them does not matter.
        """
        log = make()
        if self._recall.tests:
            try:
                self._explore(log, start, self._forgetful, state, log.may_be_wrong)
            except (BudgetSpent, Enough):
                pass  # answers that agree leave fewer paths, if they do not multiply them
            else:
                if not log.may_be_wrong():
                    return log
            log = make()
        self._explore(log, start, self._recall, state)
        return log

    def census(self, root: Function) -> Mapping[Event, Environment]:
        """The events that may be run, each with the environment it is first run in."""
        return self._census(root, self._forgetful)

    def exact_census(self, root: Function) -> Mapping[Event, Environment]:
        """The same without those that would need a test to have two answers at once."""
        return self._census(root, self._recall)

    def _census(self, root: Function, recall: Recall) -> Mapping[Event, Environment]:
        census = Census()
        self._explore(census, root, recall, None)
        return census.seen

    def _explore(
        self,
        log: Machine[State],
        start: Function,
        recall: Recall,
        state: State,
        first_try_until: Callable[[], bool] | None = None,
    ) -> None:
        self.asked |= self._allowance.explore(
            log, start, recall, state, first_try_until=first_try_until
        )
