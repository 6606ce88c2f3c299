"""Statements of one line become their events and jumps."""

from __future__ import annotations

import libcst as cst

from ...program import Block, Jump, JumpKind, Rebind, Ref
from ...syntax.visitor import Visitor
from ...vocabulary.things import Thing
from ..objects.buffer_access import buffer_owner, strip_data
from ..objects.gradient_writes import cancels
from ..objects.resolver import Resolver
from .by_hand import ByHand
from .emitter import Emitter
from .expression_visitor import ExpressionVisitor, only_asks
from .flag_values import FlagValues
from .handed_functions import HandedFunctions
from .inner_state import changed_inside
from .run_ends import RunEnds


class SimpleStatementVisitor(Visitor):
    """Visits assignments, expressions on a line of their own, and what leaves a block."""

    def __init__(
        self,
        resolver: Resolver,
        emitter: Emitter,
        expressions: ExpressionVisitor,
        by_hand: ByHand,
        handed: HandedFunctions,
        flags: FlagValues,
    ) -> None:
        self._handed = handed
        self._run_ends = RunEnds(resolver.known_calls)
        self._flags = flags
        self._resolver = resolver
        self._emitter = emitter
        self._expressions = expressions
        self._by_hand = by_hand

    def visit_other(self, node: cst.CSTNode) -> Block:
        return []

    def visit_FunctionDef(self, node: cst.FunctionDef) -> Block:
        self._emitter.scope.define_again(node)
        return []

    def visit_Expr(self, node: cst.Expr) -> Block:
        if isinstance(node.value, cst.GeneratorExp):
            # Nothing asks for its elements: `(o.zero_grad() for o in optimizers)`.
            return self._expressions.lower(node.value.for_in.iter)
        lowered = self._expressions.lower(node.value) + self._by_hand.gathered(node.value)
        changed = changed_inside(node.value, self._emitter.scope)
        return lowered if changed is None else [*lowered, Rebind(frozenset({changed}))]

    def visit_Assign(self, node: cst.Assign) -> Block:
        return self._assign([target.target for target in node.targets], node.value)

    def visit_AnnAssign(self, node: cst.AnnAssign) -> Block:
        return self._assign([node.target], node.value) if node.value is not None else []

    def _assign(self, targets: list[cst.BaseExpression], value: cst.BaseExpression) -> Block:
        named: tuple[Ref, ...] = ()
        if not isinstance(targets[0], cst.Tuple):
            named = self._resolver.objects.subjects(targets[0], self._emitter.scope)
        update = self._by_hand.updated(targets[0], value)
        lowered = self._expressions.lower_assigned(
            value, named[0] if named else None, reads=not update
        )
        lowered += update
        if isinstance(targets[0], cst.Subscript) and not update:
            lowered += self._by_hand.kept(value)
        for target in targets:
            lowered += self._by_hand.bind(target, value)
            lowered += self._flags.assigned(target, value)
            self._by_hand.note_freezing(target, value)
            if self._handed.replaces_method(target, value):
                self._emitter.defer_zero((None,), value, target)
        return lowered

    def visit_AugAssign(self, node: cst.AugAssign) -> Block:
        target, value = node.target, node.value
        owner = buffer_owner(target)
        if owner is not None:
            if cancels(node, self._emitter.scope):
                return self._by_hand.cleared_in_place(owner, node)
            adds = isinstance(node.operator, cst.AddAssign)
            change = self._by_hand.added if adds else self._by_hand.changed
            return self._expressions.lower(value) + change(owner, node)
        update = self._by_hand.consumed(strip_data(target), value)
        lowered = self._expressions.lower(value, reads=not update) + update
        lowered += self._by_hand.kept(value) if not update else []
        refs = self._resolver.objects.subjects(target, self._emitter.scope)
        is_tensor = strip_data(target) is not target
        if update or is_tensor or Thing.TENSOR in map(self._resolver.inventory.thing, refs):
            return lowered  # a tensor is changed in place
        if isinstance(target, cst.Name):
            lowered += self._by_hand.cleared_by_name(node)
            lowered += self._by_hand.bind(target, None)
        elif isinstance(target, cst.Attribute):
            lowered.append(Rebind(frozenset(refs)))
        return lowered

    def visit_Del(self, node: cst.Del) -> Block:
        targets: list[cst.BaseExpression] = [node.target]
        if isinstance(node.target, cst.Tuple):
            targets = [element.value for element in node.target.elements]
        owners = [owner for target in targets if (owner := buffer_owner(target)) is not None]
        return [
            item
            for owner in owners
            for item in self._by_hand.cleared(owner, node, leaves_none=True)
        ]

    def visit_Assert(self, node: cst.Assert) -> Block:
        return only_asks(self._expressions.lower(node.test))

    def visit_Return(self, node: cst.Return) -> Block:
        before = self._expressions.lower(node.value) if node.value is not None else []
        return [*before, Jump(JumpKind.RETURN)]

    def visit_Raise(self, node: cst.Raise) -> Block:
        ends_run = self._run_ends.raised(node, self._emitter.scope)
        return [Jump(JumpKind.EXIT if ends_run else JumpKind.RAISE)]

    def visit_Break(self, node: cst.Break) -> Block:
        return [Jump(JumpKind.BREAK)]

    def visit_Continue(self, node: cst.Continue) -> Block:
        return [Jump(JumpKind.CONTINUE)]
