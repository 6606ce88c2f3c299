"""Follow every path of a program, carrying a machine's states, until nothing new turns up."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any, Generic

from ..program import (
    Block,
    Branch,
    Choice,
    Emit,
    Environment,
    Function,
    Invoke,
    Jump,
    JumpKind,
    Loop,
    Rebind,
    Suspend,
    Try,
)
from .answers import Answers
from .exceptions import Exceptions
from .exits import Exits
from .facts import NO_FACTS
from .generators import Generators
from .invoking import Calls
from .loops import Loops
from .machine import Machine, State
from .paths import MAX_PATHS, AllPaths, Paths, bounded
from .recall import Recall
from .splits import Splits


class BudgetSpent(Exception):
    """The program is too entangled to follow; nothing can be said about it."""


class Enough(Exception):
    """What was to be found out is known; the rest of the paths was not followed."""


_FIRST_LOOK = 200
"""Steps after which it is first asked whether that is so."""
_NEXT_LOOK = 1.25
"""How many times as many have been taken whenever it is asked again."""


class Explorer(Generic[State]):
    """Runs one machine through a program, statement by statement, on all paths at once."""

    def __init__(
        self,
        machine: Machine[State],
        recall: Recall,
        budget: int,
        is_enough: Callable[[], bool] | None = None,
    ) -> None:
        self._budget = budget
        self._is_enough = is_enough
        self._next_look = min(_FIRST_LOOK, budget) if is_enough is not None else budget
        self.spent = 0
        self._all_paths: AllPaths[State] = AllPaths()
        self._answers = Answers(machine, self._all_paths)
        self._splits = Splits(self._all_paths, recall)
        self._exceptions = Exceptions(self._run, self._all_paths)
        generators = Generators(self._run, self._answers)
        self._calls = Calls(
            self._run,
            self._all_paths,
            self._answers,
            self._exceptions,
            generators,
            recall.scopes,
            recall.noticed,
        )
        self._loops = Loops(self._run, self._answers, self._exceptions, generators)
        # `Any`: each of them follows one kind of statement, under which it stands here.
        self._compound: dict[type, Callable[[Any, Paths[State], Environment], Exits[State]]] = {
            Choice: self._choice,
            Loop: self._loops.follow,
            Try: self._exceptions.follow,
            Suspend: generators.follow,
            Invoke: self._calls.follow,
        }

    @property
    def asked(self) -> Set[str | None]:
        """The keys of the tests that were asked on the way."""
        return self._splits.asked

    def explore(self, root: Function, start: State) -> Paths[State]:
        """Run a function from one state; the machine has seen everything when this returns."""
        self._calls.begin(root)
        try:
            path = self._all_paths.standing(start)[NO_FACTS]
            exits = self._run(root.body, frozenset({path}), Environment())
        finally:
            # It and its parts refer to each other, which would keep them, with thousands of paths
            # and all that the machine knows, until garbage is collected.
            self._all_paths.forget()
            del self._calls, self._loops, self._exceptions, self._compound
        return exits.normal | exits.take(JumpKind.RETURN)

    def _run(self, block: Block, paths: Paths[State], environment: Environment) -> Exits[State]:
        exits: Exits[State] = Exits()
        for statement in block:
            if not paths:
                break
            self._spend(len(paths))
            if len(paths) > MAX_PATHS:
                paths = bounded(paths)
            # `isinstance` takes half the time of `match`, and this is where all paths come by.
            if isinstance(statement, Emit):
                self._exceptions.note(paths)
                paths = self._answers.step(statement.event, paths, environment)
                self._exceptions.note(paths)
            elif isinstance(statement, Rebind):
                paths = self._answers.rebind(statement.refs, paths, environment)
            elif isinstance(statement, Branch):
                holds, fails = self._splits.split(statement.test, paths, environment)
                if statement.then:
                    holds = exits.absorb(self._run(statement.then, holds, environment))
                if statement.orelse:
                    fails = exits.absorb(self._run(statement.orelse, fails, environment))
                paths = holds | fails
            elif isinstance(statement, Jump):
                exits.add(statement.kind, paths)
                paths = frozenset()
            else:
                follow = self._compound[type(statement)]
                paths = exits.absorb(follow(statement, paths, environment))
        exits.normal = paths
        return exits

    def _choice(
        self, choice: Choice, paths: Paths[State], environment: Environment
    ) -> Exits[State]:
        exits: Exits[State] = Exits()
        for arm in choice.arms:
            exits.normal |= exits.absorb(self._run(arm, paths, environment))
        return exits

    def _spend(self, amount: int) -> None:
        self.spent += amount
        if self.spent > self._next_look:
            self._look()

    def _look(self) -> None:
        if self.spent > self._budget:
            raise BudgetSpent
        if self._is_enough is not None and self._is_enough():
            raise Enough
        self._next_look = min(int(self.spent * _NEXT_LOOK), self._budget)
