"""Flags: a name that is True in some places and False in others, `stepped = True`."""

from __future__ import annotations

import libcst as cst

from ...program import Atom, Block, Branch, Condition, Jump, JumpKind, Not
from ...syntax.literals import truth
from ..scopes.scope import FileIndex
from .condition_visitor import ConditionVisitor
from .emitter import Emitter
from .truth_tests import names_asked


class FlagValues:
    """Says what tests of a flag answer from its assignment on."""

    def __init__(self, index: FileIndex, conditions: ConditionVisitor, emitter: Emitter) -> None:
        self._index = index
        self._conditions = conditions
        self._emitter = emitter
        self._flags: dict[str, frozenset[str]] = {}
        """The flags of a function, by the name of its scope."""

    def assigned(self, target: cst.BaseExpression, value: cst.BaseExpression) -> Block:
        """The paths on which a test of the flag has another answer end here."""
        if not isinstance(target, cst.Name) or not isinstance(value, cst.Name):
            return []
        answer = truth(value)
        if answer is None or target.value not in self._flags_here():
            return []
        test = self._conditions.condition(target, self._emitter.scope)
        never: Block = [Jump(JumpKind.NEVER)]
        if not isinstance(test, Atom) or test.asks_only is None:
            return []
        return [Branch(test, [], never) if answer else Branch(test, never, [])]

    def leaving(self, loop: cst.While, test: Condition) -> Block:
        """`while not done:` is left once the flag says so; what else it asks is not followed."""
        asked = test.operand if isinstance(test, Not) else test
        name = asked.asks_only.name if isinstance(asked, Atom) and asked.asks_only else ""
        if loop.orelse is not None or name not in self._flags_here():
            return []
        return [Branch(test, [], [Jump(JumpKind.BREAK)])]

    def _flags_here(self) -> frozenset[str]:
        scope = self._emitter.scope.id
        known = self._flags.get(scope)
        if known is None:
            asked = (
                name
                for definition in self._index.definitions
                if definition.scope.id == scope
                for name in names_asked(definition)
                # What is written down once is a constant, and other code may turn it round.
                if len(values := definition.scope.assigned.get(name, ())) > 1
                and name not in definition.scope.parameters
                and all(value is not None and value.scope.id == scope for value in values)
            )
            known = self._flags[scope] = frozenset(asked)
        return known
