"""`with` statements: what a context manager does before and after the statements in it."""

from __future__ import annotations

import libcst as cst

from ...program import Block, Emit, Invoke, Jump, JumpKind, Try, walk
from ..event import Escape
from ..objects.resolver import Resolver
from .callees import Callee, Callees
from .emitter import Emitter
from .unread_effects import UnreadEffects

_NOT_EARLY = (JumpKind.RAISE, JumpKind.EXIT, JumpKind.NEVER)
"""Jumps after which nothing that follows the block runs."""


class ContextManagers:
    """Puts context managers around the statements they manage."""

    def __init__(
        self, resolver: Resolver, emitter: Emitter, callees: Callees, unread: UnreadEffects
    ) -> None:
        self._emitter = emitter
        self._callees = callees
        self._unread = unread
        self._generators = {
            definition.scope.id
            for definition in resolver.index.definitions
            if definition.nodes(cst.Yield)
        }

    def around(self, manager: cst.BaseExpression, entering: Block, body: Block) -> Block:
        """A managed block; `entering` is what making the manager and naming it does."""
        for position, statement in enumerate(entering):
            if isinstance(statement, Invoke) and statement.function.scope in self._generators:
                # The generator runs up to its `yield`, then the block, then the rest of it.
                if not _is_left_early(body):
                    statement.consumer = [*entering[position + 1 :], *body]
                    return entering[: position + 1]
                unknown = self._emitter.emit(Escape(), (None,), manager, manager)
                return [*entering, *unknown, Try(body, (), [], unknown)]
        methods = self._callees.context_methods(manager, self._emitter.scope)
        if methods is not None:
            enter, leave = (self._invoked(method, manager) for method in methods)
            return [*entering, enter, Try(body, (), [], [leave])]
        leaving: Block = [
            item for item in entering if isinstance(item, Emit) and isinstance(item.event, Escape)
        ]
        leaving += self._unread.around(manager)
        return [*entering, *leaving, Try(body, (), [], leaving)] if leaving else entering + body

    def _invoked(self, method: Callee, manager: cst.BaseExpression) -> Invoke:
        return self._emitter.invoke(method.definition, method.instance_binding, manager)


def _is_left_early(body: Block) -> bool:
    return any(isinstance(item, Jump) and item.kind not in _NOT_EARLY for item in walk(body))
