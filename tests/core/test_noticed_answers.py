"""Calls are followed once for all answers that they cannot notice, and end as they would have."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from zerograd_lint.flow.explore import BudgetSpent, Explorer
from zerograd_lint.flow.facts import Facts
from zerograd_lint.flow.invocations import Invocations
from zerograd_lint.flow.noticed import Noticed
from zerograd_lint.flow.recall import recall
from zerograd_lint.program import (
    Atom,
    Block,
    Branch,
    Environment,
    Function,
    Invoke,
    Jump,
    JumpKind,
    Loop,
    Not,
    Rebind,
    Ref,
    Statement,
    Try,
    key_of,
)

from .machines import Diary, Trail, do

GLOBAL = [Ref("", "a"), Ref("", "s", ("x",)), Ref("", "s", ("y",)), Ref("", "s")]
Ends = set[tuple[Trail, frozenset[tuple[str | None, bool]]]]


class _Everything(Noticed):
    """As if any call could notice any answer."""

    def by(self, function: Function, environment: Environment) -> Callable[[Facts], Facts]:
        return lambda facts: facts


def _ends(root: Function, noticed: Noticed | None = None, budget: int = 1_000_000) -> Ends:
    remembered = recall(root, Invocations([root]))
    if noticed is not None:
        remembered = replace(remembered, noticed=noticed)
    paths = Explorer(Diary(), remembered, budget).explore(root, ())
    return {(p.state, frozenset((atom.key, value) for atom, value in p.facts)) for p in paths}


def _asks(*refs: Ref, once_of: frozenset[Ref] = frozenset()) -> Atom:
    return Atom(key_of(refs), frozenset(refs), pieces=refs, once_of=once_of)


class _Programs:
    """Small programs of several functions, made by chance."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)
        self._functions: list[Function] = []

    def root(self) -> Function:
        for name in "hgf":
            function = Function(name, name, (Ref(name, "p"), Ref(name, "q")))
            function.body = self._block(function, 2)
            self._functions.append(function)
        return function

    def _block(self, function: Function, depth: int) -> Block:
        return [self._statement(function, depth) for _ in range(self._chance.randint(1, 3))]

    def _statement(self, function: Function, depth: int) -> Statement:
        chance = self._chance
        kind = chance.randint(0, 9 if depth else 4)
        if kind <= 1:
            return do(chance.choice("abc"))[0]
        if kind == 2:
            return Rebind(frozenset({self._ref(function)}))
        if kind == 3 and not self._functions:
            return do("e")[0]
        if kind == 3:
            callee = chance.choice(self._functions)
            p, q = callee.parameters
            return Invoke(callee, ((p, self._ref(function)),), tests=((q, self._test(function)),))
        if kind == 4:
            return Jump(JumpKind.RAISE) if chance.random() < 0.1 else do("d")[0]
        if kind == 5:
            return Loop(self._block(function, depth - 1))
        if kind == 6:
            body, handler = self._block(function, depth - 1), self._block(function, depth - 1)
            return Try(body, (handler,), [], [])
        test = self._test(function)
        condition = Not(test) if chance.random() < 0.3 else test
        return Branch(condition, self._block(function, depth - 1), [])

    def _test(self, function: Function) -> Atom:
        once_of = {self._ref(function)} if self._chance.random() < 0.2 else set()
        return _asks(self._ref(function), once_of=frozenset(once_of))

    def _ref(self, function: Function) -> Ref:
        local = Ref(function.scope, "x")
        return self._chance.choice([*GLOBAL, *function.parameters, local])


def test_calls_end_as_if_they_noticed_everything() -> None:
    compared = 0
    for seed in range(150):
        root = _Programs(seed).root()
        try:
            expected = _ends(root, _Everything(Invocations(())), budget=20_000)
        except BudgetSpent:
            continue
        assert _ends(root) == expected, seed
        compared += 1
    assert compared > 140


def test_calls_are_followed_once_for_what_they_cannot_notice() -> None:
    callee = Function("g", "g", body=do(*"abc" * 100))
    tests = [Branch(_asks(Ref("f", f"t{n}")), [], []) for n in range(6)]
    root = Function("f", "f", body=[*tests, Invoke(callee), *tests])
    assert len(_ends(root, budget=2_000)) == 64


def test_what_a_call_can_notice_holds_in_it() -> None:
    asked = _asks(Ref("", "s", ("x",)))
    callee = Function("g", "g", body=[Branch(asked, do("a"), do("b"))])
    again = Function("h", "h", body=[Invoke(callee)])
    root = Function("f", "f", body=[Branch(asked, [], do("z")), Invoke(again)])
    assert {state for state, _ in _ends(root)} == {("a",), ("z", "b")}


def test_what_a_call_gives_another_value_is_open_again() -> None:
    asked = _asks(Ref("", "s", ("x",)))
    callee = Function("g", "g", body=[Rebind(frozenset({Ref("", "s")}))])
    root = Function("f", "f", body=[Branch(asked, [], do("z")), Invoke(callee)])
    root.body.append(Branch(asked, do("a"), do("b")))
    assert {state for state, _ in _ends(root)} == {("a",), ("b",), ("z", "a"), ("z", "b")}
