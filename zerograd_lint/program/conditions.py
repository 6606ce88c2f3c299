"""Conditions of branches, taken apart into tests that can be compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from .cycles import Cycle
from .references import Environment, Ref


@dataclass(frozen=True, slots=True)
class Atom:
    """A test that cannot be taken apart.

    Equal keys mean equal answers, as long as none of the `reads` is given another value.
    """

    key: str | None
    reads: frozenset[Ref] = frozenset()
    periodic: bool = False
    """True on every n-th pass only: the mark of accumulation."""
    counts_anew: bool = False
    """What it counts starts from the beginning whenever its loop does."""
    cycle: Cycle | None = None
    """The passes on which it holds, where they can be computed."""
    counter: object = field(default=None, compare=False)
    """The counter in the code; only what reads the code knows what that is."""
    period_setting: str = field(default="", compare=False)
    """How the code spells the period of its cycle, if that is a setting of the run."""
    picks_single: bool = field(default=True, compare=False)
    """It holds where the period is 1, on every pass; `i % n == 1` never does."""
    swapped: bool = False
    """The counter divides where it should be divided: `n % i`."""
    asks_for_finite: bool = False
    """It asks whether the numbers of this pass are finite."""
    once_of: frozenset[Ref] = field(default=frozenset(), compare=False)
    """The rounds of which it holds in one at most, or is not known to hold in another."""
    once_each: bool = field(default=False, compare=False)
    """So is it with rounds in which it does not hold."""
    last_round: bool = field(default=False, compare=False)
    """Such a round is the last one of its loop: `i == len(parts) - 1`."""
    setting: str = field(default="", compare=False)
    """How the code spells it, if only another value of what it `reads` could change its answer."""
    answers: frozenset[bool] = field(default=frozenset({True, False}), compare=False)
    """What it may answer as a test of a setting: a constant has one value."""
    told: bool = field(default=False, compare=False)
    """It asks a parameter that is true or false, and that nothing but a call gives a value."""
    compared: str = field(default="", compare=False)
    """What it compares with a literal for equality: of several such tests, only one can hold."""
    pieces: tuple[str | Ref, ...] = field(default=(), compare=False)
    """Its key taken apart: text, and the objects that it asks about."""

    def __hash__(self) -> int:
        return hash(self.key)

    def answered(self, value: bool) -> Atom:
        """Whether this was its answer in an earlier round, and it may not be so again."""
        return Atom(f"{self.key} was {value}", self.once_of, pieces=self.pieces)

    @property
    def objects(self) -> Iterator[Ref]:
        """The objects that its key names."""
        return (piece for piece in self.pieces if isinstance(piece, Ref))

    @property
    def asks_only(self) -> Ref | None:
        """The object whose truth is all that it asks."""
        piece = self.pieces[0] if len(self.pieces) == 1 else None
        return piece if isinstance(piece, Ref) else None

    def renamed(self, environment: Environment) -> Atom:
        """The same test as the outermost function would ask it, of what it calls these objects."""
        if self.key is None or not environment.key or not self.pieces:
            return self
        pieces = tuple(
            environment.resolve(each) if isinstance(each, Ref) else each for each in self.pieces
        )
        if pieces == self.pieces:
            return self
        reads = frozenset(map(environment.resolve, self.reads))
        return replace(self, key=key_of(pieces), reads=reads, pieces=pieces)


def key_of(pieces: Iterable[str | Ref]) -> str:
    """The key of a test: equal for equal text about the same objects."""
    return "".join(f"<{each.scope}:{each}>" if isinstance(each, Ref) else each for each in pieces)


@dataclass(frozen=True, slots=True)
class Not:
    """True where another condition is not."""

    operand: Condition


@dataclass(frozen=True, slots=True)
class Both:
    """True where two conditions are."""

    left: Condition
    right: Condition


@dataclass(frozen=True, slots=True)
class Constant:
    """A condition with the same answer every time."""

    value: bool
    assumed: bool = False
    """The other answer is possible, but makes no difference to what follows it."""


Condition = Atom | Not | Both | Constant


def either(left: Condition, right: Condition) -> Condition:
    """True where one of two conditions is."""
    return Not(Both(Not(left), Not(right)))


def seen_from(condition: Condition, environment: Environment) -> Condition:
    """A condition as the outermost function would ask it.

    What asks for the truth of a parameter asks the test that the caller gave for it.
    """
    match condition:
        case Atom():
            asked = condition.asks_only
            test = environment.tests.get(asked) if asked is not None else None
            return condition.renamed(environment) if test is None else test
        case Not(operand):
            return Not(seen_from(operand, environment))
        case Both(left, right):
            return Both(seen_from(left, environment), seen_from(right, environment))
    return condition


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


def answer_if(condition: Condition, test: Atom, value: bool) -> bool | None:
    """What a condition comes to where one of its tests has this answer; None if others decide."""
    match condition:
        case Atom():
            return value if condition is test else None
        case Constant(constant):
            return constant
        case Not(operand):
            inner = answer_if(operand, test, value)
            return None if inner is None else not inner
        case Both(left, right):
            both = answer_if(left, test, value), answer_if(right, test, value)
            if False in both:
                return False
            return True if both == (True, True) else None
