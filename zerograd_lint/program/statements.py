"""Statements and functions: control flow over events, and nothing else."""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field

from .conditions import Atom, Condition, atoms, seen_from
from .references import Environment, Ref


@dataclass(slots=True, eq=False)
class Emit:
    """An event happens."""

    event: object


@dataclass(slots=True, eq=False)
class Rebind:
    """Names are given other objects here, so what was known of them is void."""

    refs: frozenset[Ref]


@dataclass(slots=True, eq=False)
class Branch:
    """An `if`: one of two blocks runs, by the answer to a test."""

    test: Condition
    then: Block
    orelse: Block


@dataclass(slots=True, eq=False)
class Choice:
    """Exactly one arm runs, and nothing is known of which."""

    arms: tuple[Block, ...]


@dataclass(slots=True, eq=False)
class Loop:
    """A loop whose body runs at least once; `orelse` runs when it ends without a `break`."""

    body: Block
    orelse: Block = field(default_factory=list)
    endless: bool = False
    once: bool = False
    """It is known to run exactly once."""
    each: tuple[Ref, ...] = ()
    """Collections walked over: for an element of one, this loop runs exactly once."""


@dataclass(slots=True, eq=False)
class Try:
    """A `try` with its handlers, `else` and `finally`."""

    body: Block
    handlers: tuple[Block, ...]
    orelse: Block
    final: Block


class JumpKind(enum.Enum):
    """The ways to leave a block before its end."""

    BREAK = "break"
    CONTINUE = "continue"
    RETURN = "return"
    RAISE = "raise"
    EXIT = "exit"
    """The whole run ends."""
    NEVER = "never"
    """No run comes here: what a test has answered is known to be otherwise."""

    __hash__ = object.__hash__  # jumps are looked up all the time


@dataclass(slots=True, eq=False)
class Jump:
    """The block is left here."""

    kind: JumpKind


@dataclass(slots=True, eq=False)
class Suspend:
    """A `yield`: what consumes this generator runs, then the rest of it."""


@dataclass(slots=True, eq=False)
class Invoke:
    """A call of a function in view; `binding` says what its parameters stand for."""

    function: Function
    binding: tuple[tuple[Ref, Ref], ...] = ()
    consumer: Block | None = None
    """The loop body that runs at every `Suspend` of the function."""
    site: object = None
    """Where the call stands; only what reads the events knows what that is."""
    tests: tuple[tuple[Ref, Condition], ...] = ()
    """What the truth of parameters is at this call."""

    @property
    def asked(self) -> Iterator[Atom]:
        """The tests that its arguments are made of."""
        return (atom for _, test in self.tests for atom in atoms(test))

    def environment(self, caller: Environment, shared: frozenset[str]) -> Environment:
        """What names stand for inside the call; those in `shared` scopes as they do outside."""
        tests = {parameter: seen_from(test, caller) for parameter, test in self.tests}
        return caller.within(self.binding, shared, tests)


Statement = Emit | Rebind | Branch | Choice | Loop | Try | Jump | Suspend | Invoke
Block = list[Statement]


@dataclass(slots=True, eq=False)
class Function:
    """A body that can be invoked: a function, a method, a lambda, or the module itself."""

    name: str
    scope: str
    parameters: tuple[Ref, ...] = ()
    owner_class: str | None = None
    enclosing: Function | None = None
    module: str = ""
    """The module it stands in; empty for the file that is checked."""
    body: Block = field(default_factory=list, repr=False)


def walk(block: Block) -> Iterator[Statement]:
    """Every statement of a block and of the blocks in it, without entering invoked functions."""
    for statement in block:
        yield statement
        match statement:
            case Branch(_, then, orelse):
                yield from walk(then)
                yield from walk(orelse)
            case Choice(arms):
                for arm in arms:
                    yield from walk(arm)
            case Loop(body, orelse):
                yield from walk(body)
                yield from walk(orelse)
            case Try(body, handlers, orelse, final):
                yield from walk(body)
                for handler in handlers:
                    yield from walk(handler)
                yield from walk(orelse)
                yield from walk(final)
            case Invoke(consumer=consumer) if consumer is not None:
                yield from walk(consumer)
