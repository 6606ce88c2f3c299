"""Machines for tests of the flow engine, and short ways to run one through a program."""

from __future__ import annotations

from zerograd_lint.flow.explore import Explorer
from zerograd_lint.flow.invocations import Invocations
from zerograd_lint.flow.paths import Path
from zerograd_lint.flow.recall import recall
from zerograd_lint.program import (
    Atom,
    Block,
    Emit,
    Environment,
    Function,
    Ref,
)

Trail = tuple[str, ...]
X, Y = Ref("f", "x"), Ref("f", "y")
IF_X = Atom("x", frozenset({X}))
IF_Y = Atom("y", frozenset({Y}))


class Diary:
    """Its state is the events seen so far, the last three of them."""

    def __init__(self) -> None:
        self.rare: set[Trail] = set()

    def step(self, state: Trail, event: object, environment: Environment, *, rare: bool) -> Trail:
        name = str(event)
        if name.startswith("="):
            name = str(environment.resolve(Ref("g", name[1:])))
        after = (*state, name)[-3:]
        if rare:
            self.rare.add(after)
        return after

    def rebound(self, state: Trail, refs: frozenset[Ref], environment: Environment) -> Trail:
        return state

    def entered(self, state: Trail) -> Trail:
        return state

    repeated = left = entered

    def unknown(self, state: Trail) -> Trail:
        return ("?",)

    def walks(self, collection: Ref, environment: Environment) -> bool:
        return collection == X


class Depths:
    """Its state is the number of loops around it; it writes down where each event was met."""

    def __init__(self) -> None:
        self.met: dict[str, set[int]] = {}

    def step(self, state: int, event: object, environment: Environment, *, rare: bool) -> int:
        self.met.setdefault(str(event), set()).add(state)
        return state

    def rebound(self, state: int, refs: frozenset[Ref], environment: Environment) -> int:
        return state

    def entered(self, state: int) -> int:
        return state + 1

    def left(self, state: int) -> int:
        return state - 1

    def repeated(self, state: int) -> int:
        return state

    unknown = repeated

    def walks(self, collection: Ref, environment: Environment) -> bool:
        return False


def do(*names: str) -> Block:
    return [Emit(name) for name in names]


def explore(diary: Diary, function: Function, budget: int = 10_000) -> frozenset[Path[Trail]]:
    remembered = recall(function, Invocations([function]))
    return Explorer(diary, remembered, budget).explore(function, ())


def ends(body: Block, budget: int = 10_000) -> set[str]:
    paths = explore(Diary(), Function("f", "f", body=body), budget)
    return {"".join(path.state) for path in paths}
