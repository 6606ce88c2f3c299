"""A file reduced to control flow over events: the language between the front end and the flow.

Nothing here knows what an event means. A statement either emits an event, rebinds names,
branches, loops, jumps or invokes a function of the same file; everything else is gone.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

ANY_ELEMENT = "[*]"


class Ref(NamedTuple):
    """An object named by where its root lives and how it is reached: `self.nets["g"]`."""

    scope: str
    name: str
    path: tuple[str, ...] = ()

    def child(self, step: str) -> Ref:
        return Ref(self.scope, self.name, (*self.path, step))

    @property
    def root(self) -> Ref:
        return Ref(self.scope, self.name) if self.path else self

    def contains(self, other: Ref) -> bool:
        """Whether `other` is this object or a part of it."""
        if self.scope != other.scope or self.name != other.name:
            return False
        if len(self.path) > len(other.path):
            return False
        return all(
            _matches(mine, theirs) for mine, theirs in zip(self.path, other.path, strict=False)
        )

    def overlaps(self, other: Ref) -> bool:
        return self.contains(other) or other.contains(self)

    def __str__(self) -> str:
        text = self.name
        for step in self.path:
            text += step if step.startswith("[") else f".{step}"
        return text


def _matches(mine: str, theirs: str) -> bool:
    return mine == theirs or (mine == ANY_ELEMENT and theirs.startswith("["))


class Environment:
    """What the parameters of the functions being inlined stand for in the outermost one."""

    __slots__ = ("_bound", "key")

    def __init__(self, bound: dict[Ref, Ref] | None = None) -> None:
        self._bound = bound or {}
        self.key = frozenset(self._bound.items())

    def resolve(self, ref: Ref) -> Ref:
        bound = self._bound
        if not bound:
            return ref
        for cut in range(len(ref.path), -1, -1):
            target = bound.get(Ref(ref.scope, ref.name, ref.path[:cut]))
            if target is not None:
                return Ref(target.scope, target.name, (*target.path, *ref.path[cut:]))
        return ref

    def within(self, binding: Iterable[tuple[Ref, Ref]], shared: frozenset[str]) -> Environment:
        """The same inside a call; of the caller's own parameters only `shared` ones are seen."""
        bound = {name: target for name, target in self._bound.items() if name.scope in shared}
        for parameter, argument in binding:
            resolved = self.resolve(argument)
            if resolved != parameter:
                bound[parameter] = resolved
        return Environment(bound)


# --- conditions -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Atom:
    """A test that cannot be taken apart. Equal keys mean equal answers while `reads` stand."""

    key: str | None
    reads: frozenset[Ref] = frozenset()
    periodic: bool = False
    """True on every n-th pass only: the mark of accumulation."""
    counts_anew: bool = False
    """What it counts starts from the beginning whenever its loop does."""

    def __hash__(self) -> int:
        return hash(self.key)


@dataclass(frozen=True, slots=True)
class Not:
    operand: Condition


@dataclass(frozen=True, slots=True)
class Both:
    left: Condition
    right: Condition


@dataclass(frozen=True, slots=True)
class Constant:
    value: bool


Condition = Atom | Not | Both | Constant


def either(left: Condition, right: Condition) -> Condition:
    return Not(Both(Not(left), Not(right)))


def atoms(condition: Condition) -> Iterator[Atom]:
    """The indivisible tests of a condition, left to right."""
    match condition:
        case Atom():
            yield condition
        case Not(operand):
            yield from atoms(operand)
        case Both(left, right):
            yield from atoms(left)
            yield from atoms(right)


# --- statements -----------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class Emit:
    event: object


@dataclass(slots=True, eq=False)
class Rebind:
    """These names hold something else from here on, so what was known of them is void."""

    refs: frozenset[Ref]


@dataclass(slots=True, eq=False)
class Branch:
    test: Condition
    then: Block
    orelse: Block


@dataclass(slots=True, eq=False)
class Choice:
    """Exactly one arm runs, and nothing is known of which."""

    arms: tuple[Block, ...]


@dataclass(slots=True, eq=False)
class Loop:
    body: Block
    orelse: Block = field(default_factory=list)
    endless: bool = False
    each: tuple[Ref, ...] = ()
    """Collections walked over: for an element of one, this loop runs exactly once."""


@dataclass(slots=True, eq=False)
class Try:
    body: Block
    handlers: tuple[Block, ...]
    orelse: Block
    final: Block


class JumpKind(enum.Enum):
    BREAK = "break"
    CONTINUE = "continue"
    RETURN = "return"
    RAISE = "raise"


@dataclass(slots=True, eq=False)
class Jump:
    kind: JumpKind


@dataclass(slots=True, eq=False)
class Suspend:
    """Hand control to whoever consumes this generator, and go on afterwards."""


@dataclass(slots=True, eq=False)
class Invoke:
    function: Function
    binding: tuple[tuple[Ref, Ref], ...] = ()
    consumer: Block | None = None
    """The loop body that runs at every `Suspend` of the function."""


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
