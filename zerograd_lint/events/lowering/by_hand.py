"""Gradients set, cleared or applied by hand, and names that change hands."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from ...program import Block, Rebind, Ref
from ...syntax.names import dotted
from ...syntax.walk import inside
from ...vocabulary.buffers import GATHERS
from ...vocabulary.things import Thing
from ..event import Consume, Create, Deposit, Escape, Keep, NewPart, Read, Share, Zero
from ..objects.buffer_access import buffer_owner, buffers_in, is_part, is_zero, strip_data
from ..objects.gradient_writes import Write, Written, cleared_name
from ..objects.kept_gradients import kept_owner
from ..objects.new_objects import NewObjects
from ..objects.resolve import Refs
from ..objects.resolver import Resolver
from ..objects.same_object import SameObject
from .emitter import Emitter

_NAMED = cst.Name | cst.Attribute
_COLLECTIONS = frozenset(
    {
        *(cst.List, cst.Tuple, cst.Set, cst.Dict),
        *(cst.ListComp, cst.SetComp, cst.DictComp, cst.GeneratorExp),
    }
)


class ByHand:
    """What assignments do, apart from computing what they assign."""

    def __init__(self, resolver: Resolver, emitter: Emitter) -> None:
        self._objects = resolver.objects
        self._gradients = resolver.gradient_names
        self._makers = resolver.makers
        self._freezing = resolver.freezing
        self._same = SameObject(resolver.objects, resolver.inventory, resolver.given)
        self._new = NewObjects(resolver.makers, resolver.classes)
        self._emitter = emitter

    def _subjects(self, node: cst.BaseExpression) -> Refs:
        return self._objects.subjects(node, self._emitter.scope)

    # --- gradients --------------------------------------------------------------------------

    def updated(self, target: cst.BaseExpression, value: cst.BaseExpression) -> Block:
        """`w.data = w - lr * w.grad`, `w = w - lr * w.grad`: applied by hand."""
        if buffer_owner(target) is not None or type(value) in _COLLECTIONS:
            return []  # `[p for p in params if p.grad is not None]` selects, and applies nothing
        changed = strip_data(target)
        update = self.consumed(changed, value)
        if not update and isinstance(changed, cst.Subscript):
            return self.consumed(strip_data(changed.value), value)  # `w.data[mask] = …`
        # `image = image.grad.abs()` gives the name to something else.
        applied = update and (changed is not target or _starts_from(target, value))
        return update if applied else []

    def consumed(self, changed: cst.BaseExpression, source: cst.CSTNode) -> Block:
        """A `Consume` if what changes a tensor is made from its own gradient."""
        fed = self._gradients.owners_in(source, self._emitter.scope)
        if not fed:
            return []
        applied = [ref for ref in self._subjects(changed) if ref in fed]
        update = Consume(by_hand=True, by_name=not buffers_in(source))
        return self._emitter.emit(update, applied, source, changed)

    def replaced(self, owner: cst.BaseExpression, node: cst.CSTNode) -> Block:
        """A gradient put there by hand counts as one that arrived, in place of the old one."""
        refs = self._subjects(owner)
        if not refs:
            return self._emitter.emit(Escape(), (None,), node, owner)
        return self._emitter.emit(Deposit(inputs=refs, replaces=True), refs[:1], node, owner)

    def added(self, owner: cst.BaseExpression, node: cst.CSTNode) -> Block:
        """`w.grad += g`, `w.grad.add_(g)`: another gradient arrives, as a backward would add it."""
        refs = self._subjects(owner)
        deposit = Deposit(inputs=refs, divided=True)
        return self.changed(owner, node) + self._emitter.emit(deposit, refs[:1], node, owner)

    def _shared(
        self, owner: cst.BaseExpression, value: cst.BaseExpression, node: cst.CSTNode
    ) -> Block:
        """`p.grad = q.grad`: one buffer with two owners, of which a zeroing may clear only one."""
        giver = buffer_owner(value)
        if giver is None or is_part(value):
            return []
        to, given = self._subjects(owner), self._subjects(giver)
        if len(to) != 1 or len(given) != 1 or to == given:
            return []
        return self._emitter.emit(Share(receiver=to[0]), given, node, giver)

    def cleared(
        self, owner: cst.BaseExpression, node: cst.CSTNode, *, leaves_none: bool = False
    ) -> Block:
        """`w.grad = None`, `del w.grad`; of what is not known, anything may be cleared."""
        zero = Zero(by_hand=True, leaves_none=leaves_none)
        return self._emitter.emit(zero, self._subjects(owner), node, owner) or self._emitter.emit(
            Escape(), (None,), node, owner
        )

    def cleared_in_place(self, owner: cst.BaseExpression, node: cst.CSTNode) -> Block:
        """`w.grad.zero_()`, which fails where there is no gradient."""
        zero = Zero(by_hand=True, needs_buffer=True)
        return self._emitter.emit(zero, self._subjects(owner), node, owner)

    def written(self, write: Write, node: cst.Call) -> Block:
        """What a call does that writes into a gradient."""
        match write.effect:
            case Written.CLEARS:
                return self.cleared_in_place(write.owner, node)
            case Written.REPLACES:
                return self.replaced(write.owner, node)
            case Written.ADDS:
                return self.added(write.owner, node)
            case Written.CHANGES_PART:
                return self.partly_written(write.owner, write.given, node)
        change = self.changed(write.owner, node)
        return change + self._emitter.emit(Escape(), self._subjects(write.owner), node, write.owner)

    def cleared_by_name(self, node: cst.Call | cst.AugAssign) -> Block:
        """`g = w.grad`, then `g.zero_()`: it clears the gradient, unless the name has a copy."""
        name = cleared_name(node, self._emitter.scope)
        if name is None or not self._gradients.is_gradient(name, self._emitter.scope):
            return []
        return self._emitter.emit(Escape(), (None,), node, name)

    def gathered(self, call: cst.BaseExpression) -> Block:
        """`maps.append(image.grad)`: the gradient is kept in a list."""
        match call:
            case cst.Call(func=cst.Attribute(attr=cst.Name(value=name)), args=[cst.Arg() as given]):
                return self.kept(given.value) if name == GATHERS else []
        return []

    def kept(self, value: cst.BaseExpression) -> Block:
        """What is kept of a gradient, unless it is compared with what was kept before."""
        owner = kept_owner(value, self._emitter.scope) if self._gradients.are_mentioned else None
        if owner is None:
            return []
        return self._emitter.emit(Keep(), self._subjects(owner), value, owner)

    def changed(self, owner: cst.BaseExpression, node: cst.CSTNode) -> Block:
        """`w.grad[0] = 0`, `w.grad /= 2`: what is there stays there, changed."""
        return self._emitter.emit(Read(needs_buffer=True), self._subjects(owner), node, owner)

    def partly_written(
        self, owner: cst.BaseExpression, value: cst.BaseExpression | None, node: cst.CSTNode
    ) -> Block:
        """`w.grad[rows] = g`: the rest may have been cleared for it, or may not count."""
        change = self.changed(owner, node)
        if value is None or is_zero(value, self._emitter.scope) or buffers_in(value):
            return change
        return change + self._emitter.emit(Escape(), self._subjects(owner), node, owner)

    def note_freezing(self, target: cst.BaseExpression, value: cst.BaseExpression | None) -> None:
        """`p.requires_grad = False`, `net.requires_grad_(False)`."""
        match target:
            case cst.Attribute(value=part, attr=cst.Name(value="requires_grad" | "requires_grad_")):
                frame, refs = self._emitter.frame, self._subjects(part)
                place = (frame.function.scope, frame.loops)
                self._freezing.note(refs, value, *place, always=not frame.conditional)

    # --- names ------------------------------------------------------------------------------

    def bind(self, target: cst.BaseExpression, value: cst.BaseExpression | None) -> Block:
        """What giving a target another value does, apart from computing that value."""
        match target:
            case cst.Name(value=name):
                home = self._emitter.scope.home(name)
                if home is None:
                    return []
                own = Ref(home.id, name)
                if not self._keeps_identity(target, value):
                    return self._rebound(target, value, (own,))
                # Another name of `p.grad` is that of another `p` each time it is given.
                return [] if own in self._subjects(target) else [Rebind(frozenset({own}))]
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                return self._bind_each([element.value for element in elements], value)
            case cst.Attribute() | cst.Subscript():
                return self._bind_part(target, value)
        return []

    def _bind_each(
        self, targets: list[cst.BaseExpression], value: cst.BaseExpression | None
    ) -> Block:
        parts: Sequence[cst.BaseExpression | None] = [value] * len(targets)
        if isinstance(value, cst.Tuple | cst.List) and len(value.elements) == len(targets):
            parts = [element.value for element in value.elements]
        return [
            item
            for target, part in zip(targets, parts, strict=True)
            for item in self.bind(target, part)
        ]

    def _bind_part(
        self, target: cst.Attribute | cst.Subscript, value: cst.BaseExpression | None
    ) -> Block:
        owner = buffer_owner(target)
        if owner is not None and value is not None:
            if is_part(target):
                return self.partly_written(owner, value, target)
            if is_zero(value, self._emitter.scope):
                if isinstance(target, cst.Subscript):
                    return self.cleared_in_place(owner, target)
                return self.cleared(owner, target, leaves_none=isinstance(value, cst.Name))
            return self._shared(owner, value, target) + self.replaced(owner, target)
        if isinstance(target, cst.Attribute) and target.attr.value == "data":
            return []
        match target:
            case cst.Subscript(value=cst.Name() as name) if not is_part(target):
                if self._gradients.is_held(name, self._emitter.scope):
                    return self._emitter.emit(Escape(), (None,), target, name)
        if self._keeps_identity(target, value):
            return []
        return self._rebound(target, value, self._subjects(target))

    def _rebound(
        self, target: cst.BaseExpression, value: cst.BaseExpression | None, refs: Refs
    ) -> Block:
        rebound: Block = [*self._made(target, value), Rebind(frozenset(refs))]
        if value is not None and self._gradients.are_mentioned:
            if self._new.is_new(value, self._emitter.scope):
                rebound += self._emitter.emit(Create(), refs, target, target)
        return rebound

    def _made(self, target: cst.BaseExpression, value: cst.BaseExpression | None) -> Block:
        """`model.head = nn.Linear(4, 2)`: parameters that no optimizer has seen yet."""
        if not isinstance(value, cst.Call):
            return []
        if self._makers.thing_made(value, self._emitter.scope) is not Thing.MODULE:
            return []
        return self._emitter.emit(NewPart(), self._subjects(target), target, target)

    def _keeps_identity(self, target: cst.BaseExpression, value: cst.BaseExpression | None) -> bool:
        return value is not None and self._same.keeps(target, value, self._emitter.scope)


def _starts_from(target: cst.BaseExpression, value: cst.BaseExpression) -> bool:
    """The new value is made from the old one, and not from its gradient alone."""
    name = dotted(target)
    if name is None:
        return True
    read = [dotted(part) for part in (value, *inside(value)) if isinstance(part, _NAMED)]
    return read.count(name) > [dotted(owner) for owner in buffers_in(value)].count(name)
