"""Where the analysis of a file begins: functions nobody in it calls, run once or over and over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..events.event import Event
from ..flow.explore import reachable
from ..program import Emit, Environment, Function, Invoke, Loop, Ref, Suspend, walk
from .automata.balance import CallBoundary


def repeated_entry(root: Function, owner: Ref, reached: list[Function]) -> Function:
    """A function that works on what outlives it is one iteration of somebody else's loop."""
    if not root.scope or not _outlives(owner, root, reached):
        return root
    # If it is a generator, somebody who cannot be seen runs whenever it pauses.
    again = Loop([Invoke(root, consumer=[Suspend()]), Emit(CallBoundary())], endless=True)
    return Function(f"{root.name} again", f"{root.scope}*", body=[again])


def _outlives(owner: Ref, root: Function, reached: list[Function]) -> bool:
    if owner.root in root.parameters:
        return True
    return all(owner.scope != function.scope for function in reached)


def entry_points(functions: list[Function]) -> Iterator[Function]:
    """The functions nobody in the file calls, then what only recursion reaches."""
    invoked = {
        statement.function
        for function in functions
        for statement in walk(function.body)
        if isinstance(statement, Invoke)
    }
    covered: set[Function] = set()
    for function in functions:
        if function not in invoked:
            covered.update(reachable(function))
            yield function
    for function in functions:
        if function not in covered:
            covered.update(reachable(function))
            yield function


class Census:
    """Visits everything an entry point can run, noting events and their environments."""

    def __init__(self) -> None:
        self.seen: dict[Event, Environment] = {}

    def step(
        self, state: None, event: object, environment: Environment, *, rare: bool
    ) -> Iterable[None]:
        if isinstance(event, Event):
            self.seen.setdefault(event, environment)
        return (None,)

    def rebound(self, state: None, refs: frozenset[Ref], environment: Environment) -> None:
        return None

    def entered(self, state: None) -> None:
        return None

    repeated = left = unknown = entered

    def walks(self, collection: Ref, environment: Environment) -> bool:
        return False
