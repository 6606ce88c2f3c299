"""The events in the life of a gradient buffer, and the places in the code where they happen."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..program import Block, Condition, Constant, Emit, Function, Ref, atoms

if TYPE_CHECKING:
    import libcst as cst


_PERIOD = re.compile(r"%(\d{1,9})==")


class Kind(enum.Enum):
    CREATE = "create"
    """The subject is new: its buffers are empty."""
    ZERO = "zero"
    """The subject's buffers are cleared."""
    DEPOSIT = "deposit"
    """A backward pass adds into buffers."""
    CONSUME = "consume"
    """The subject's gradient is applied."""
    READ = "read"
    """The subject's gradient is looked at, clipped or copied."""
    ESCAPE = "escape"
    """The subject was handed to code that cannot be seen."""
    HANDED = "handed"
    """The subject was given to code that cannot be seen, but hardly touches gradients."""
    UNSCALE = "unscale"
    """A loss scaler divides its scale out of the subject's gradient."""
    UPDATE = "update"
    """A loss scaler ends its step and chooses the next scale."""
    UNCALLED = "uncalled"
    """A zeroing is named but not called."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A branch that must be taken for a place to be reached."""

    test: Condition
    taken: bool
    periodic: bool
    """The guard lets through one pass in n."""
    inverted: bool
    """It lets through all passes but one in n."""

    @property
    def decided(self) -> bool:
        """The test has the same answer every time, so the guard is none."""
        return isinstance(self.test, Constant)

    @property
    def skips(self) -> bool:
        """It is known to keep out some passes: one in two or more is let through."""
        period = next((_PERIOD.search(a.key) for a in atoms(self.test) if a.key is not None), None)
        return self.periodic and period is not None and int(period[1]) > 1

    @property
    def halves(self) -> bool:
        """One in two is the same share as all but one in two."""
        return any(atom.key is not None and "%2==" in atom.key for atom in atoms(self.test))


@dataclass(slots=True, eq=False)
class Site:
    """Where an event happens. Two events of one statement share its `statement`."""

    node: cst.CSTNode
    statement: cst.CSTNode
    function: Function
    block: int
    """Identifies the list of statements the statement stands in."""
    loops: tuple[int, ...]
    """The loops around it within its function, outermost first."""
    guards: tuple[Guard, ...]
    """The branches around it within its innermost loop."""
    branches: tuple[Site, ...]
    """The `if` statements around it within its innermost loop, outermost first."""
    alone: bool
    """The statement has its line to itself, so it can be moved or preceded by another."""
    only: bool = False
    """It is the only statement of its block, which would be empty without it."""


@dataclass(slots=True, eq=False)
class Event:
    kind: Kind
    subject: Ref | None
    """None means everything within reach."""
    site: Site
    spelling: str = ""
    """The subject as the code spells it there: the receiver of a call that would clear it."""
    covers: tuple[Ref, ...] | None = None
    """CREATE: the modules and tensors an optimizer was built over, when all are known."""
    inputs: tuple[Ref, ...] | None = None
    """DEPOSIT: the only owners reached, when the code says so."""
    scaler: Ref | None = None
    """DEPOSIT and CONSUME: the loss scaler it goes through."""
    by_hand: bool = False
    """CONSUME and ZERO: on the tensor itself, not through an optimizer or a module."""
    needs_buffer: bool = False
    """ZERO and READ: fails if the buffer is None."""
    leaves_none: bool = False
    """ZERO: the buffer is None afterwards."""
    replaces: bool = False
    """DEPOSIT: the gradient is put there by hand, in place of what was there."""
    given: bool = False
    """DEPOSIT: the loss came in as an argument, so this is a part of somebody's iteration."""
    divided: bool = False
    """DEPOSIT: the loss was divided by something."""
    slow: str = ""
    """ZERO: the short call that would do the same, when there is one."""
    whole: Site | None = None
    """ZERO: the loop that does it by hand."""
    through: tuple[Ref, ...] = ()
    """READ: the modules that are clipped."""
    sources: frozenset[Ref] = frozenset()
    """DEPOSIT: the modules and tensors the loss was computed with, as far as can be seen."""
    origins: frozenset[Ref] | None = None
    """DEPOSIT: all that the loss can have come from, parameters included, where that is known."""
    closure_start: Site | None = None
    """CONSUME: the first statement of the closure that is evaluated for it."""
    wrapper: Site | None = None
    """DEPOSIT: the `with` statement it must not be separated from."""
    managed: bool = False
    """DEPOSIT: a launcher decides when its window closes and divides the loss."""

    def beside(self, other: Event) -> bool:
        """In the same loop of the same function."""
        here, there = self.site, other.site
        return here.function is there.function and here.loops == there.loops

    def reachable_in(self, function: Function) -> bool:
        """Whether the subject has the same name in another function."""
        if self.subject is None:
            return False
        scope: Function | None = function
        if self.subject.name == "self":
            return function.owner_class is not None and self.subject.scope == function.owner_class
        while scope is not None:
            if self.subject.scope == scope.scope:
                return True
            scope = scope.enclosing
        return False


def demand_buffer(lowered: Block) -> None:
    """What reads a gradient in these statements also fails if there is none."""
    for statement in lowered:
        event = statement.event if isinstance(statement, Emit) else None
        if isinstance(event, Event) and event.kind is Kind.READ:
            event.needs_buffer = True
