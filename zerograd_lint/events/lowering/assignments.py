"""Assignments: names that change hands, and gradients set or applied by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ... import tree
from ...program import Block, Rebind, Ref
from ...syntax.walk import inside
from ..event import Kind
from ..scopes.imports import dotted
from .buffers import buffer_owner, buffers_in, is_zero, strip_data

if TYPE_CHECKING:
    from .module import Lowering

_NAMED = tree.Name | tree.Attribute


class Assignments:
    def __init__(self, hub: Lowering) -> None:
        self._hub = hub

    def assign(self, targets: list[tree.BaseExpression], value: tree.BaseExpression) -> Block:
        lowered: Block = []
        named = self._hub.subjects(targets[0]) if not isinstance(targets[0], tree.Tuple) else ()
        update = self._update(targets[0], value)
        lowered.extend(
            self._hub.expressions.lower(value, made=named[0] if named else None, quiet=bool(update))
        )
        lowered.extend(update)
        for target in targets:
            lowered.extend(self.bind(target, value))
        return lowered

    def _update(self, target: tree.BaseExpression, value: tree.BaseExpression) -> Block:
        """`w.data = w - lr * w.grad`, `w = w - lr * w.grad`: applied by hand."""
        if buffer_owner(target) is not None:
            return []
        changed = strip_data(target)
        update = self.consumed_by_hand(changed, value)
        # `image = image.grad.abs()` gives the name to something else.
        return update if changed is not target or _starts_from(target, value) else []

    def consumed_by_hand(self, changed: tree.BaseExpression, source: tree.Node) -> Block:
        """A CONSUME if what changes a tensor is made from its own gradient."""
        refs = self._hub.subjects(changed)
        if not refs:
            return []
        fed: set[Ref] = set()
        for owner in buffers_in(source):
            fed.update(self._hub.subjects(owner))
        for part in (source, *inside(source)) if self._hub.gradient_names else ():
            if type(part) is tree.Name:
                home = self._hub.scope.home(part.value)
                if home is not None:
                    fed.update(self._hub.gradient_names.get(Ref(home.id, part.value), ()))
        applied = tuple(ref for ref in refs if ref in fed)
        return self._hub.emit(Kind.CONSUME, applied, source, changed, by_hand=True)

    def bind(self, target: tree.BaseExpression, value: tree.BaseExpression | None) -> Block:
        """What giving a target another value does, apart from computing that value."""
        match target:
            case tree.Name(value=name):
                home = self._hub.scope.home(name)
                if home is None or self._keeps_identity(target, value):
                    return []
                return [Rebind(frozenset({Ref(home.id, name)}))]
            case tree.Tuple(elements=elements) | tree.List(elements=elements):
                parts: Sequence[tree.BaseExpression | None] = [value] * len(elements)
                if isinstance(value, tree.Tuple | tree.List) and len(value.elements) == len(
                    elements
                ):
                    parts = [element.value for element in value.elements]
                return [
                    item
                    for element, part in zip(elements, parts, strict=True)
                    for item in self.bind(element.value, part)
                ]
            case tree.Attribute() | tree.Subscript():
                owner = buffer_owner(target)
                if owner is not None and value is not None:
                    return self._buffer_assigned(owner, target, value)
                if isinstance(target, tree.Attribute) and target.attr.value == "data":
                    return []
                if self._keeps_identity(target, value):
                    return []
                return [Rebind(frozenset(self._hub.subjects(target)))]
        return []

    def _keeps_identity(
        self, target: tree.BaseExpression, value: tree.BaseExpression | None
    ) -> bool:
        """`net = DDP(net)` names the same object as before."""
        if value is None:
            return False
        before = self._hub.objects.resolve(target, self._hub.scope)
        if not before:
            return False
        if set(before) <= set(self._hub.objects.resolve(value, self._hub.scope)):
            return True
        return isinstance(value, tree.Call) and any(
            set(before) & set(self._hub.objects.resolve(argument.value, self._hub.scope))
            for argument in value.args
        )

    def _buffer_assigned(
        self, owner: tree.BaseExpression, target: tree.BaseExpression, value: tree.BaseExpression
    ) -> Block:
        if is_zero(value):
            none = isinstance(value, tree.Name)
            return self.zero_by_hand(owner, target, leaves_none=none)
        return self.replaced_by_hand(owner, target)

    def replaced_by_hand(self, owner: tree.BaseExpression, node: tree.Node) -> Block:
        """A gradient put there by hand counts as one that arrived, in place of the old one."""
        refs = self._hub.subjects(owner)
        return self._hub.emit(Kind.DEPOSIT, refs[:1], node, owner, inputs=refs, replaces=True)

    def zero_by_hand(
        self, owner: tree.BaseExpression, node: tree.Node, *, leaves_none: bool = False
    ) -> Block:
        refs = self._hub.subjects(owner)
        return self._hub.emit(
            Kind.ZERO, refs, node, owner, by_hand=True, leaves_none=leaves_none
        ) or self._hub.emit(Kind.ESCAPE, (None,), node, owner)

    def augment(
        self,
        node: tree.AugAssign,
        target: tree.BaseExpression,
        operator: tree.Operator,
        value: tree.BaseExpression,
    ) -> Block:
        owner = buffer_owner(target)
        if owner is not None:
            if isinstance(operator, tree.MultiplyAssign) and is_zero(value):
                refs = self._hub.subjects(owner)
                return self._hub.emit(Kind.ZERO, refs, node, owner, by_hand=True, needs_buffer=True)
            return self._hub.expressions.lower(value) + self._hub.emit(
                Kind.READ, self._hub.subjects(owner), node, owner, needs_buffer=True
            )
        update = self.consumed_by_hand(strip_data(target), value)
        lowered = self._hub.expressions.lower(value, quiet=bool(update)) + update
        if isinstance(target, tree.Name) and not update:
            lowered.extend(self.bind(target, None))
        elif isinstance(target, tree.Attribute) and not update:
            lowered.append(Rebind(frozenset(self._hub.subjects(target))))
        return lowered


def _starts_from(target: tree.BaseExpression, value: tree.BaseExpression) -> bool:
    """The new value is made from the old one, and not from its gradient alone."""
    name = dotted(target)
    if name is None:
        return True
    read = [dotted(part) for part in (value, *inside(value)) if isinstance(part, _NAMED)]
    return read.count(name) > [dotted(owner) for owner in buffers_in(value)].count(name)
