"""Take out of a program what no path can notice, so that following the paths stays cheap.

A training file is mostly data handling and logging: names rebound that nothing tracks, branches
and loops without events, functions that do neither. What remains is a small skeleton.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping
from dataclasses import replace

from ..program import (
    Atom,
    Block,
    Branch,
    Choice,
    Emit,
    Function,
    Invoke,
    Jump,
    JumpKind,
    Loop,
    Rebind,
    Ref,
    Statement,
    Try,
    walk,
)
from .asked_keys import AskedKeys
from .contents import Contents
from .invocations import Invocations
from .tracked import Tracked

IsIgnored = Callable[[object], bool]
"""Whether no machine takes a step on an event."""

_WITHIN_LOOP = (JumpKind.BREAK, JumpKind.CONTINUE)


def trim(invocations: Invocations, refs: Iterable[Ref], is_ignored: IsIgnored) -> Invocations:
    """Shorten the bodies of all functions; returns what they invoke from then on.

    `refs` are the objects that machines follow; events that are ignored go as well. What is
    rebound matters if a test that stays reads it, so what stays is found in rounds.
    """
    functions = invocations.functions
    whole = {function: function.body for function in functions}
    acting = (f for f in functions if _acts(invocations.contents(f), is_ignored))
    eventful = invocations.with_callers(acting)
    wanted = Tracked(refs, _bindings(invocations, eventful))
    keys = AskedKeys(functions, invocations)
    telling: set[Function] = set()
    """Functions that raise, and so tell those who invoke them the answer to a test."""
    while True:
        rebinding = (f for f in functions if _rebinds(invocations.contents(f), wanted))
        noticeable = invocations.with_callers({*eventful, *rebinding, *telling})
        trimmer = _Trimmer(wanted, noticeable, is_ignored)
        for function, body in whole.items():
            function.body = trimmer.block(body)
        trimmed = Invocations(functions)
        tests = [atom for f in noticeable for atom in trimmed.contents(f).tests]
        asked = keys.count(tests)
        told = {
            f
            for f in functions
            if f not in noticeable and _tells(invocations.contents(f), asked, keys)
        }
        telling |= told
        if not wanted.add(_worth_reading(tests, asked, keys)) and not told:
            return trimmed


def _acts(contents: Contents, is_ignored: IsIgnored) -> bool:
    """Its call can be noticed by what it does, whatever is tracked."""
    return (
        contents.interrupts
        or any(call.consumer is not None for call in contents.invocations)
        or not all(map(is_ignored, contents.events))
    )


def _rebinds(contents: Contents, wanted: Tracked) -> bool:
    return any(ref in wanted for ref in contents.rebound)


def _tells(contents: Contents, asked: Container[str], keys: AskedKeys) -> bool:
    """Whether it goes on after some answers only to a test that is asked elsewhere."""
    return contents.raises and any(key in asked for atom in contents.tests for key in keys.of(atom))


def _bindings(invocations: Invocations, eventful: Collection[Function]) -> list[tuple[Ref, Ref]]:
    """What parameters stand for; that matters only in functions that are `eventful`."""
    return [
        bound
        for function in invocations.functions
        for call in invocations.contents(function).invocations
        if call.function in eventful
        for bound in call.binding
    ]


def _worth_reading(
    tests: Iterable[Atom], asked: Mapping[str, int], keys: AskedKeys
) -> Iterator[Ref]:
    """What those tests read whose answers are remembered."""
    for atom in tests:
        if atom.once_of or any(asked[key] > 1 for key in keys.of(atom)):
            yield from atom.reads
            yield from atom.once_of


class _Trimmer:
    """Shortens blocks. What is left of a loop or a branch decides whether it stays."""

    def __init__(
        self, wanted: Tracked, noticeable: Collection[Function], is_ignored: IsIgnored
    ) -> None:
        self._wanted = wanted
        self._noticeable = noticeable
        self._is_ignored = is_ignored

    def block(self, block: Block) -> Block:
        kept: Block = []
        for statement in block:
            trimmed = self._trimmed(statement)
            if trimmed is not None:
                kept.append(trimmed)
                if isinstance(trimmed, Jump):
                    break
        return kept

    def _trimmed(self, statement: Statement) -> Statement | None:
        """What is left of a statement; None if nothing is."""
        match statement:
            case Emit(event):
                return None if self._is_ignored(event) else statement
            case Rebind(refs):
                return statement if any(ref in self._wanted for ref in refs) else None
            case Branch(test, then, orelse):
                then, orelse = self.block(then), self.block(orelse)
                return Branch(test, then, orelse) if then or orelse else None
            case Choice(arms):
                arms = tuple(self.block(arm) for arm in arms)
                return Choice(arms) if any(arms) else None
            case Loop(body, orelse):
                body, orelse = self.block(body), self.block(orelse)
                stays = statement.endless or orelse or not _only_repeats(body)
                return replace(statement, body=body, orelse=orelse) if stays else None
            case Try(body, handlers, orelse, final):
                parts = tuple(map(self.block, (body, orelse, final, *handlers)))
                body, orelse, final, *rest = parts
                return Try(body, tuple(rest), orelse, final) if any(parts) else None
            case Invoke(function, consumer=consumer):
                if consumer is not None:
                    return replace(statement, consumer=self.block(consumer))
                return statement if function in self._noticeable else None
        return statement


def _only_repeats(body: Block) -> bool:
    """Nothing happens in the body of a loop but the choice to stop it."""
    return all(
        isinstance(statement, Branch | Choice)
        or (isinstance(statement, Jump) and statement.kind in _WITHIN_LOOP)
        for statement in walk(body)
    )
