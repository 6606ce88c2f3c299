"""What stands in the body of a function, found in one walk: events, tests, invocations."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..program import (
    Atom,
    Branch,
    Emit,
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


@dataclass(slots=True)
class Contents:
    """The statements of one body by kind, in the order they stand, however deep."""

    events: list[object] = field(default_factory=list)
    tests: list[Atom] = field(default_factory=list)
    invocations: list[Invoke] = field(default_factory=list)
    rebound: list[Ref] = field(default_factory=list)
    interrupts: bool = False
    """It may suspend, end the run, or loop for ever."""
    raises: bool = False
    handles: bool = False
    """It has a handler of exceptions."""


def contents(function: Function) -> Contents:
    """The contents of a function, without those of the functions it invokes."""
    found = Contents()
    for statement in walk(function.body):
        match statement:
            case Emit(event):
                found.events.append(event)
            case Rebind(refs):
                found.rebound += refs
            case Branch(test):
                found.tests += atoms(test)
            case Invoke():
                found.invocations.append(statement)
                # The callee may ask more than once what its parameter stands for.
                found.tests += [*statement.asked] * 2
            case Suspend() | Loop(endless=True) | Jump(JumpKind.EXIT):
                found.interrupts = True
            case Jump(JumpKind.RAISE):
                found.raises = True
            case Try(handlers=handlers):
                found.handles |= bool(handlers)
    return found
