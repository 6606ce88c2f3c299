"""Follow every path of a program, carrying a machine's states, until nothing new turns up.

Loops run at least once and their back edges are followed to a fixed point. Functions of the
program are entered at their call and remembered by what they were entered with, so the cost
stays linear in the size of the program; recursion and a spent budget end in `unknown`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from typing import Generic

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
    Ref,
    Suspend,
    Try,
    atoms,
    walk,
)
from .machine import Machine, State
from .paths import NO_FACTS, Facts, Path, Paths, forget, forget_scope, split

MAX_PATHS = 96
"""More paths than this at one point are merged by forgetting what was learnt from tests."""
MAX_CALLS = 40
"""Calls inside calls beyond this are not followed."""


class BudgetSpent(Exception):
    """The program is too entangled to follow; nothing can be said about it."""


@dataclass(slots=True)
class Outcome(Generic[State]):
    """Where the paths through a block have gone."""

    normal: Paths[State] = frozenset()
    jumps: dict[JumpKind, Paths[State]] = field(default_factory=dict)

    def add(self, kind: JumpKind, paths: Paths[State]) -> None:
        if paths:
            self.jumps[kind] = self.jumps.get(kind, frozenset()) | paths

    def take(self, kind: JumpKind) -> Paths[State]:
        return self.jumps.pop(kind, frozenset())

    def absorb(self, other: Outcome[State]) -> Paths[State]:
        """Adopt the other's jumps and return its normal paths."""
        for kind, paths in other.jumps.items():
            self.add(kind, paths)
        return other.normal


class Explorer(Generic[State]):
    def __init__(self, machine: Machine[State], budget: int) -> None:
        self._machine = machine
        self._budget = budget
        self.spent = 0
        self._worth_knowing: frozenset[Hashable] = frozenset()
        self._shared: frozenset[str] = frozenset()
        self._entered: list[Function] = []
        self._exits: dict[Hashable, tuple[Paths[State], Paths[State]]] = {}
        """Where calls lead, by what they were entered with: out of the function, or thrown."""
        # A machine answers the same question in the same way every time, so it is asked once.
        self._stepped: dict[Hashable, dict[tuple[State, bool], tuple[State, ...]]] = {}
        self._rebound: dict[Hashable, dict[Path[State], Path[State]]] = {}
        self._outside: dict[tuple[Facts, str], Facts] = {}
        self._moves: dict[Callable[[State], State], dict[Path[State], Path[State]]] = {}
        self._consumers: list[tuple[Block, Environment] | None] = []
        self._watched: list[set[Path[State]]] = []
        """What each `try` being run could throw: the innermost last."""

    def explore(self, root: Function, start: State) -> Paths[State]:
        """Run a function from one state; the machine has seen everything when this returns."""
        self._worth_knowing = repeated_tests(root)
        self._shared = shared_scopes(root)
        self._entered = [root]
        outcome = self._run(root.body, frozenset({Path(start)}), Environment())
        return outcome.normal | outcome.take(JumpKind.RETURN)

    def _run(self, block: Block, paths: Paths[State], environment: Environment) -> Outcome[State]:
        outcome: Outcome[State] = Outcome()
        for statement in block:
            if not paths:
                break
            self._spend(len(paths))
            paths = self._bounded(paths)
            match statement:
                case Emit(event):
                    paths = self._emit(event, paths, environment)
                case Rebind(refs):
                    paths = self._rebind(refs, paths, environment)
                case Branch(test, then, orelse):
                    holds, fails = split(test, paths, self._worth_knowing)
                    paths = outcome.absorb(self._run(then, holds, environment)) | outcome.absorb(
                        self._run(orelse, fails, environment)
                    )
                case Choice(arms):
                    paths = frozenset().union(
                        *(outcome.absorb(self._run(arm, paths, environment)) for arm in arms)
                    )
                case Loop():
                    paths = outcome.absorb(self._loop(statement, paths, environment))
                case Try():
                    paths = outcome.absorb(self._try(statement, paths, environment))
                case Jump(kind):
                    outcome.add(kind, paths)
                    paths = frozenset()
                case Suspend():
                    paths = outcome.absorb(self._suspend(paths))
                case Invoke():
                    paths = self._invoke(statement, environment, paths)
        outcome.normal = paths
        return outcome

    def _rebind(
        self, refs: frozenset[Ref], paths: Paths[State], environment: Environment
    ) -> Paths[State]:
        def renewed(path: Path[State]) -> Path[State]:
            state = self._machine.rebound(path.state, refs, environment)
            return Path(state, forget(path.facts, refs), path.rare)

        return _each(paths, renewed, self._rebound.setdefault((refs, environment.key), {}))

    def _emit(self, event: object, paths: Paths[State], environment: Environment) -> Paths[State]:
        known = self._stepped.setdefault((event, environment.key), {})
        reached: set[Path[State]] = set()
        for path in paths:
            states = known.get((path.state, path.rare))
            if states is None:
                states = tuple(self._machine.step(path.state, event, environment, rare=path.rare))
                known[path.state, path.rare] = states
            for state in states:
                reached.add(Path(state, path.facts, path.rare))
        after = frozenset(reached)
        if self._watched:
            self._watched[-1].update(paths, after)
        return after

    def _loop(self, loop: Loop, paths: Paths[State], environment: Environment) -> Outcome[State]:
        machine = self._machine
        once = any(machine.walks(collection, environment) for collection in loop.each)
        outcome: Outcome[State] = Outcome()
        if once:
            outcome = self._run(loop.body, paths, environment)
            ended = outcome.normal | outcome.take(JumpKind.CONTINUE)
            broken = outcome.take(JumpKind.BREAK)
        else:
            ended = self._rounds(loop, paths, environment, outcome)
            broken = outcome.take(JumpKind.BREAK)
        if loop.endless:
            ended = frozenset()
        outcome.normal = outcome.absorb(self._run(loop.orelse, ended, environment)) | broken
        return outcome

    def _rounds(
        self, loop: Loop, paths: Paths[State], environment: Environment, outcome: Outcome[State]
    ) -> Paths[State]:
        """Go round until nothing new turns up. Whichever way a path gets out, it has left."""
        machine = self._machine
        if self._watched:
            self._watched.append(set())
        fresh = seen = self._moved(paths, machine.entered)
        ended: Paths[State] = frozenset()
        while fresh:
            result = self._run(loop.body, fresh, environment)
            round_trip = result.normal | result.take(JumpKind.CONTINUE)
            ended |= round_trip
            for kind, leaving in result.jumps.items():
                outcome.add(kind, self._moved(leaving, machine.left))
            again = self._bounded(self._moved(round_trip, machine.repeated))
            fresh = again - seen
            seen |= fresh
        if self._watched:
            thrown = frozenset(self._watched.pop())
            self._watched[-1] |= self._moved(thrown, machine.left)
        return self._moved(ended, machine.left)

    def _try(self, statement: Try, paths: Paths[State], environment: Environment) -> Outcome[State]:
        self._watched.append(set(paths))
        attempt = self._run(statement.body, paths, environment)
        thrown = self._watched.pop() | attempt.take(JumpKind.RAISE)
        if self._watched and not statement.handlers:
            self._watched[-1] |= thrown
        outcome: Outcome[State] = Outcome()
        done = outcome.absorb(attempt)
        done = outcome.absorb(self._run(statement.orelse, done, environment))
        caught = frozenset(Path(path.state, NO_FACTS, rare=True) for path in thrown)
        for handler in statement.handlers:
            done |= outcome.absorb(self._run(handler, caught, environment))
        if not statement.final:
            outcome.normal = done
            return outcome
        finished: Outcome[State] = Outcome()
        finished.normal = finished.absorb(self._run(statement.final, done, environment))
        for kind, jumping in outcome.jumps.items():
            cleaned_up = finished.absorb(self._run(statement.final, jumping, environment))
            finished.add(kind, cleaned_up)
        return finished

    def _invoke(self, call: Invoke, caller: Environment, paths: Paths[State]) -> Paths[State]:
        function = call.function
        if function in self._entered or len(self._entered) > MAX_CALLS:
            return self._moved(paths, self._machine.unknown)
        environment = caller.within(call.binding, self._shared)
        consumer = (call.consumer, caller) if call.consumer is not None else None
        exits: set[Path[State]] = set()
        for path in paths:
            # What may be thrown is only noted where a `try` can catch it.
            key = (function, environment.key, path, bool(self._watched))
            known = self._exits.get(key) if consumer is None else None
            if known is None:
                known = self._exits[key] = self._enter(function, environment, consumer, path)
            # A body that only raises is there to be overridden.
            exits |= known[0] or {path}
            if self._watched:
                self._watched[-1] |= known[1]
        return frozenset(exits)

    def _enter(
        self,
        function: Function,
        environment: Environment,
        consumer: tuple[Block, Environment] | None,
        path: Path[State],
    ) -> tuple[Paths[State], Paths[State]]:
        self._entered.append(function)
        self._consumers.append(consumer)
        if self._watched:
            self._watched.append(set())
        result = self._run(function.body, frozenset({path}), environment)
        thrown = frozenset(self._watched.pop()) if self._watched else frozenset()
        self._consumers.pop()
        self._entered.pop()
        # The next call has parameters and locals of its own.
        left: set[Path[State]] = set()
        for end in result.normal | result.take(JumpKind.RETURN):
            if end.facts:
                key = (end.facts, function.scope)
                facts = self._outside.get(key)
                if facts is None:
                    facts = self._outside[key] = forget_scope(*key)
                end = Path(end.state, facts, end.rare)
            left.add(end)
        return frozenset(left), thrown

    def _suspend(self, paths: Paths[State]) -> Outcome[State]:
        """A generator pauses: its consumer runs, or somebody who cannot be seen.

        Where a call collects what it yields, as in `list(generate())`, nothing runs in between.
        """
        if not self._consumers:
            return Outcome(self._moved(paths, self._machine.unknown))
        consumer = self._consumers.pop()
        outcome: Outcome[State] = Outcome(paths)
        if consumer is not None:
            result = self._run(consumer[0], paths, consumer[1])
            outcome.normal = result.normal | result.take(JumpKind.CONTINUE)
            # Whoever stops consuming ends the generator.
            outcome.add(JumpKind.RETURN, result.take(JumpKind.BREAK))
            outcome.absorb(result)
        self._consumers.append(consumer)
        return outcome

    def _moved(self, paths: Paths[State], move: Callable[[State], State]) -> Paths[State]:
        def moved(path: Path[State]) -> Path[State]:
            return Path(move(path.state), path.facts, path.rare)

        return _each(paths, moved, self._moves.setdefault(move, {}))

    def _bounded(self, paths: Paths[State]) -> Paths[State]:
        if len(paths) <= MAX_PATHS:
            return paths
        return frozenset(Path(path.state, NO_FACTS, path.rare) for path in paths)

    def _spend(self, amount: int) -> None:
        self.spent += amount
        if self.spent > self._budget:
            raise BudgetSpent


def repeated_tests(root: Function) -> frozenset[Hashable]:
    """Keys of the tests asked more than once: only their answers can decide anything later."""
    asked: Counter[Hashable] = Counter()
    for function in reachable(root):
        for statement in walk(function.body):
            if isinstance(statement, Branch):
                asked.update(atom.key for atom in atoms(statement.test) if atom.key)
    return frozenset(key for key, times in asked.items() if times > 1)


def _each(
    paths: Paths[State],
    change: Callable[[Path[State]], Path[State]],
    known: dict[Path[State], Path[State]],
) -> Paths[State]:
    """All paths changed, each of them worked out once."""
    after: set[Path[State]] = set()
    for path in paths:
        there = known.get(path)
        if there is None:
            there = known[path] = change(path)
        after.add(there)
    return frozenset(after)


def shared_scopes(root: Function) -> frozenset[str]:
    """Where names live that more than one function sees: around nested ones, and in classes."""
    shared: set[str] = set()
    for function in reachable(root):
        if function.owner_class is not None:
            shared.add(function.owner_class)
        enclosing = function.enclosing
        while enclosing is not None and enclosing.scope not in shared:
            shared.add(enclosing.scope)
            enclosing = enclosing.enclosing
    return frozenset(shared)


def reachable(root: Function) -> Iterator[Function]:
    """The function itself and all it may invoke, each once."""
    seen = {root}
    pending = [root]
    while pending:
        function = pending.pop()
        yield function
        for statement in walk(function.body):
            if isinstance(statement, Invoke) and statement.function not in seen:
                seen.add(statement.function)
                pending.append(statement.function)
