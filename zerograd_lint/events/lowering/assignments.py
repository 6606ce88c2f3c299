"""Assignments: names that change hands, and gradients set or applied by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from ...program import Block, Rebind, Ref
from ...syntax.names import dotted
from ...syntax.walk import inside
from ..event import Kind
from .buffers import buffer_owner, buffers_in, is_zero, strip_data

if TYPE_CHECKING:
    from .module import Lowering

_NAMED = cst.Name | cst.Attribute


class Assignments:
    def __init__(self, hub: Lowering) -> None:
        self._hub = hub

    def assign(self, targets: list[cst.BaseExpression], value: cst.BaseExpression) -> Block:
        lowered: Block = []
        named = self._hub.subjects(targets[0]) if not isinstance(targets[0], cst.Tuple) else ()
        update = self._update(targets[0], value)
        lowered.extend(
            self._hub.expressions.lower(value, made=named[0] if named else None, quiet=bool(update))
        )
        lowered.extend(update)
        for target in targets:
            lowered.extend(self.bind(target, value))
        return lowered

    def _update(self, target: cst.BaseExpression, value: cst.BaseExpression) -> Block:
        """`w.data = w - lr * w.grad`, `w = w - lr * w.grad`: applied by hand."""
        if buffer_owner(target) is not None:
            return []
        changed = strip_data(target)
        update = self.consumed_by_hand(changed, value)
        # `image = image.grad.abs()` gives the name to something else.
        return update if changed is not target or _starts_from(target, value) else []

    def consumed_by_hand(self, changed: cst.BaseExpression, source: cst.CSTNode) -> Block:
        """A CONSUME if what changes a tensor is made from its own gradient."""
        refs = self._hub.subjects(changed)
        if not refs:
            return []
        fed: set[Ref] = set()
        for owner in buffers_in(source):
            fed.update(self._hub.subjects(owner))
        for part in (source, *inside(source)) if self._hub.gradient_names else ():
            if type(part) is cst.Name:
                home = self._hub.scope.home(part.value)
                if home is not None:
                    fed.update(self._hub.gradient_names.get(Ref(home.id, part.value), ()))
        applied = tuple(ref for ref in refs if ref in fed)
        return self._hub.emit(Kind.CONSUME, applied, source, changed, by_hand=True)

    def bind(self, target: cst.BaseExpression, value: cst.BaseExpression | None) -> Block:
        """What giving a target another value does, apart from computing that value."""
        match target:
            case cst.Name(value=name):
                home = self._hub.scope.home(name)
                if home is None or self._keeps_identity(target, value):
                    return []
                return [Rebind(frozenset({Ref(home.id, name)}))]
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                parts: Sequence[cst.BaseExpression | None] = [value] * len(elements)
                if isinstance(value, cst.Tuple | cst.List) and len(value.elements) == len(elements):
                    parts = [element.value for element in value.elements]
                return [
                    item
                    for element, part in zip(elements, parts, strict=True)
                    for item in self.bind(element.value, part)
                ]
            case cst.Attribute() | cst.Subscript():
                owner = buffer_owner(target)
                if owner is not None and value is not None:
                    return self._buffer_assigned(owner, target, value)
                if isinstance(target, cst.Attribute) and target.attr.value == "data":
                    return []
                if self._keeps_identity(target, value):
                    return []
                return [Rebind(frozenset(self._hub.subjects(target)))]
        return []

    def _keeps_identity(self, target: cst.BaseExpression, value: cst.BaseExpression | None) -> bool:
        """`net = DDP(net)` names the same object as before."""
        if value is None:
            return False
        before = self._hub.objects.resolve(target, self._hub.scope)
        if not before:
            return False
        if set(before) <= set(self._hub.objects.resolve(value, self._hub.scope)):
            return True
        return isinstance(value, cst.Call) and any(
            set(before) & set(self._hub.objects.resolve(argument.value, self._hub.scope))
            for argument in value.args
        )

    def _buffer_assigned(
        self, owner: cst.BaseExpression, target: cst.BaseExpression, value: cst.BaseExpression
    ) -> Block:
        if is_zero(value):
            none = isinstance(value, cst.Name)
            return self.zero_by_hand(owner, target, leaves_none=none)
        return self.replaced_by_hand(owner, target)

    def replaced_by_hand(self, owner: cst.BaseExpression, node: cst.CSTNode) -> Block:
        """A gradient put there by hand counts as one that arrived, in place of the old one."""
        refs = self._hub.subjects(owner)
        return self._hub.emit(Kind.DEPOSIT, refs[:1], node, owner, inputs=refs, replaces=True)

    def zero_by_hand(
        self, owner: cst.BaseExpression, node: cst.CSTNode, *, leaves_none: bool = False
    ) -> Block:
        refs = self._hub.subjects(owner)
        return self._hub.emit(
            Kind.ZERO, refs, node, owner, by_hand=True, leaves_none=leaves_none
        ) or self._hub.emit(Kind.ESCAPE, (None,), node, owner)

    def augment(
        self,
        node: cst.AugAssign,
        target: cst.BaseExpression,
        operator: cst.BaseAugOp,
        value: cst.BaseExpression,
    ) -> Block:
        owner = buffer_owner(target)
        if owner is not None:
            if isinstance(operator, cst.MultiplyAssign) and is_zero(value):
                refs = self._hub.subjects(owner)
                return self._hub.emit(Kind.ZERO, refs, node, owner, by_hand=True, needs_buffer=True)
            return self._hub.expressions.lower(value) + self._hub.emit(
                Kind.READ, self._hub.subjects(owner), node, owner, needs_buffer=True
            )
        update = self.consumed_by_hand(strip_data(target), value)
        lowered = self._hub.expressions.lower(value, quiet=bool(update)) + update
        if isinstance(target, cst.Name) and not update:
            lowered.extend(self.bind(target, None))
        elif isinstance(target, cst.Attribute) and not update:
            lowered.append(Rebind(frozenset(self._hub.subjects(target))))
        return lowered


def _starts_from(target: cst.BaseExpression, value: cst.BaseExpression) -> bool:
    """The new value is made from the old one, and not from its gradient alone."""
    name = dotted(target)
    if name is None:
        return True
    read = [dotted(part) for part in (value, *inside(value)) if isinstance(part, _NAMED)]
    return read.count(name) > [dotted(owner) for owner in buffers_in(value)].count(name)
