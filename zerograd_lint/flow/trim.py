"""Take out of a program what no path can notice, so that following the paths stays cheap.

A training file is mostly data handling and logging: names rebound that nothing tracks, branches
and loops without events, functions that do neither. What remains is a small skeleton.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from ..program import (
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
from .contents import Contents
from .invocations import Invocations
from .tracked import Tracked, tracked

IsIgnored = Callable[[object], bool]
"""Whether no machine takes a step on an event."""

_WITHIN_LOOP = (JumpKind.BREAK, JumpKind.CONTINUE)


def trim(invocations: Invocations, refs: Iterable[Ref], is_ignored: IsIgnored) -> Invocations:
    """Shorten the bodies of all functions in place; returns what they invoke from then on.

    `refs` are the objects that machines follow; events that are ignored go as well.
    """
    followed = list(refs)
    # What goes in the first round may be what kept a test or a call worth following.
    for _ in range(2):
        functions = invocations.functions
        acting = {f for f in functions if _acts(invocations.contents(f), is_ignored)}
        eventful = invocations.with_callers(acting)
        wanted = tracked(invocations, followed, eventful)
        rebinding = (f for f in functions if _rebinds(invocations.contents(f), wanted))
        noticeable = invocations.with_callers(eventful.union(rebinding))
        trimmer = _Trimmer(wanted, noticeable, is_ignored)
        for function in functions:
            function.body = trimmer.block(function.body)
        invocations = Invocations(functions)
    return invocations


def _acts(contents: Contents, is_ignored: IsIgnored) -> bool:
    """Its call can be noticed by what it does, whatever is tracked."""
    return (
        contents.interrupts
        or any(call.consumer is not None for call in contents.invocations)
        or not all(map(is_ignored, contents.events))
    )


def _rebinds(contents: Contents, wanted: Tracked) -> bool:
    return any(ref in wanted for ref in contents.rebound)


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
            if self._keeps(statement):
                kept.append(statement)
                if isinstance(statement, Jump):
                    break
        return kept

    def _keeps(self, statement: Statement) -> bool:
        """Whether a statement stays; what is inside it is trimmed on the way."""
        match statement:
            case Emit(event):
                return not self._is_ignored(event)
            case Rebind(refs):
                return any(ref in self._wanted for ref in refs)
            case Branch():
                statement.then = self.block(statement.then)
                statement.orelse = self.block(statement.orelse)
                return bool(statement.then or statement.orelse)
            case Choice():
                statement.arms = tuple(self.block(arm) for arm in statement.arms)
                return any(statement.arms)
            case Loop():
                statement.body = self.block(statement.body)
                statement.orelse = self.block(statement.orelse)
                return (
                    statement.endless or bool(statement.orelse) or not _only_repeats(statement.body)
                )
            case Try():
                statement.body = self.block(statement.body)
                statement.handlers = tuple(self.block(part) for part in statement.handlers)
                statement.orelse = self.block(statement.orelse)
                statement.final = self.block(statement.final)
                return bool(
                    statement.body or any(statement.handlers) or statement.orelse or statement.final
                )
            case Invoke():
                if statement.consumer is not None:
                    statement.consumer = self.block(statement.consumer)
                    return True
                return statement.function in self._noticeable
        return True


def _only_repeats(body: Block) -> bool:
    """Nothing happens in the body of a loop but the choice to stop it."""
    return all(
        isinstance(statement, Branch | Choice)
        or (isinstance(statement, Jump) and statement.kind in _WITHIN_LOOP)
        for statement in walk(body)
    )
