"""Calls: functions of the program are entered, and remembered by what they were entered with.

So the cost stays linear in the size of the program. Recursion, and calls too deep inside calls,
end in `unknown`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic

from ..program import Environment, Function, Invoke, JumpKind
from .answers import Answers
from .exceptions import Exceptions
from .exits import Exits, Run
from .facts import Facts, forget_scope
from .generators import Consumer, Generators
from .machine import State
from .memo import Memo
from .noticed import Noticed
from .paths import AllPaths, Path, Paths

MAX_CALLS = 40
"""Calls inside calls beyond this are not followed."""

_Led = tuple[Paths[State], Paths[State]]
"""Where a call leads one path: out of the function, or thrown."""


class Calls(Generic[State]):
    """Follows invocations into the functions they invoke."""

    def __init__(
        self,
        run: Run[State],
        all_paths: AllPaths[State],
        answers: Answers[State],
        exceptions: Exceptions[State],
        generators: Generators[State],
        shared_scopes: frozenset[str],
        noticed: Noticed,
    ) -> None:
        self._run = run
        self._all_paths = all_paths
        self._answers = answers
        self._exceptions = exceptions
        self._generators = generators
        self._shared_scopes = shared_scopes
        self._noticed = noticed
        self._noticed_by: dict[Hashable, Memo[Facts, Facts]] = {}
        self._entered: list[Function] = []
        self._results: dict[Hashable, dict[Path[State], _Led[State]]] = {}
        """Where calls lead, by what they were entered with."""
        self._outside: dict[str, Memo[Facts, Facts]] = {}
        """What is still known outside of a function, by its scope."""
        self._environments: dict[tuple[Invoke, Hashable], Environment] = {}

    def begin(self, root: Function) -> None:
        """The exploration starts in this function."""
        self._entered = [root]

    def follow(self, call: Invoke, paths: Paths[State], caller: Environment) -> Exits[State]:
        function = call.function
        if function in self._entered or len(self._entered) > MAX_CALLS:
            return Exits(self._answers.unknown(paths))
        environment = self._inside(call, caller)
        consumer = Consumer(call.consumer, caller) if call.consumer is not None else None
        ends: set[Path[State]] = set()
        results: dict[Path[State], _Led[State]] = {}
        if consumer is None:
            # What may be thrown is only noted where a `try` can catch it.
            key = (function, environment.key, self._exceptions.can_be_caught)
            results = self._results.setdefault(key, results)
        for path in paths:
            known = results.get(path)
            if known is None:
                known = results[path] = (
                    self._enter(function, environment, consumer, path)
                    if consumer is not None or not path.facts
                    else self._lead(function, environment, path, results)
                )
            returned, thrown = known
            ends |= returned
            self._exceptions.note(thrown)
        return Exits(frozenset(ends))

    def _inside(self, call: Invoke, caller: Environment) -> Environment:
        """The environment inside a call, one for all that are alike: it remembers answers, too."""
        key = (call, caller.key)
        known = self._environments.get(key)
        if known is None:
            known = self._environments[key] = call.environment(caller, self._shared_scopes)
        return known

    def _lead(
        self,
        function: Function,
        environment: Environment,
        path: Path[State],
        results: dict[Path[State], _Led[State]],
    ) -> _Led[State]:
        """Where a call leads a path, whatever is known on it that the call cannot notice."""
        one = self._all_paths.facts
        noticed = one(self._facts_noticed(function, environment)[path.facts])
        entered = path.standing[noticed]
        known = results.get(entered)
        if known is None:
            known = results[entered] = self._enter(function, environment, None, entered)
        if entered is path:
            return known
        others = path.facts - noticed

        def with_others(ends: Paths[State]) -> Paths[State]:
            return frozenset([end.standing[one(end.facts | others)] for end in ends])

        returned, thrown = known
        return with_others(returned), with_others(thrown)

    def _facts_noticed(self, function: Function, environment: Environment) -> Memo[Facts, Facts]:
        """What a call could notice of what is known before it."""
        key = (function, environment.key)
        known = self._noticed_by.get(key)
        if known is None:
            known = self._noticed_by[key] = Memo(self._noticed.by(function, environment))
        return known

    def _enter(
        self,
        function: Function,
        environment: Environment,
        consumer: Consumer | None,
        path: Path[State],
    ) -> _Led[State]:
        self._entered.append(function)
        self._generators.begin(consumer)
        self._exceptions.begin()
        exits = self._run(function.body, frozenset({path}), environment)
        thrown = self._exceptions.end()
        self._generators.end()
        self._entered.pop()
        ends = exits.normal | exits.take(JumpKind.RETURN)
        if not ends and JumpKind.EXIT not in exits.jumps:
            ends = frozenset({path})  # a body that only raises is there to be overridden
        outside = self._facts_outside(function.scope)
        return frozenset({end.standing[outside[end.facts]] for end in ends}), thrown

    def _facts_outside(self, scope: str) -> Memo[Facts, Facts]:
        """What is still known behind a call: the next one has parameters and locals of its own."""
        known = self._outside.get(scope)
        if known is None:
            one = self._all_paths.facts

            def outside(facts: Facts) -> Facts:
                return one(forget_scope(facts, scope))

            known = self._outside[scope] = Memo(outside)
        return known
