"""What objects consist of: a network of the networks it is made of, a list of what is put in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import libcst as cst

from ...program import Ref
from ...vocabulary.buffers import GRADIENT_ATTRIBUTES
from ...vocabulary.things import Thing
from ...vocabulary.wrappers import ADDS_MEMBERS
from ..scopes.scope import FileIndex, Scope
from .built import built
from .inventory import Inventory
from .known_calls import makes_copy
from .makers import Makers
from .resolve import Objects

_MAX_DEPTH = 4
_MADE_OF_NOTHING = frozenset({Thing.OPTIMIZER, Thing.TENSOR, Thing.SCALER})
"""A tensor is new, whatever it is computed from; what an optimizer covers is known otherwise."""


class Members:
    """Answers for the objects of one file, as far as the file puts them together."""

    def __init__(
        self, index: FileIndex, objects: Objects, inventory: Inventory, makers: Makers
    ) -> None:
        self._makers = makers
        self._index = index
        self._objects = objects
        self._inventory = inventory

    def may_hold(self, whole: Ref, part: Ref) -> bool:
        """Whether one object, or one that it is a part of, was given the other."""
        pending = {Ref(*whole[:2], whole.path[:cut]) for cut in range(len(whole.path) + 1)}
        seen: set[Ref] = set()
        for _ in range(_MAX_DEPTH):
            found = {held for each in pending for held in self._put_in.get(each, ())}
            if any(held.overlaps(part) for held in found):
                return True
            seen |= pending
            pending = found - seen
        return False

    def are_apart_from(self, ref: Ref) -> bool:
        """Whether nothing was given to an object, or to what it is a part of, nor it to others."""
        if ref.root in self._held_roots:
            return False
        return not any(whole in self._put_in for whole in (*ref.wholes, ref))

    @cached_property
    def _held_roots(self) -> set[Ref]:
        return {part.root for parts in self._put_in.values() for part in parts}

    @cached_property
    def _put_in(self) -> dict[Ref, set[Ref]]:
        found: dict[Ref, set[Ref]] = {}
        for whole, part in self._pairs():
            if whole != part and not (whole.name == "self" and not whole.path):
                found.setdefault(whole, set()).add(part)
        return found

    def _pairs(self) -> Iterator[tuple[Ref, Ref]]:
        for ref, values in self._inventory.assigned.items():
            is_made = self._inventory.thing(ref) in _MADE_OF_NOTHING
            for value in values:
                node, scope = value.expression, value.scope
                parts = [*self._named(node, scope)]
                if not (is_made and isinstance(node, cst.Call)):
                    parts += self._ingredients(node, scope)
                yield from ((ref, part) for part in parts)
        for target, assigned, scope in self._index.attributes:
            if assigned is not None and not _is_gradient(target):
                yield from self._put(target.value, assigned.expression, scope)
        for definition in self._index.definitions:
            for call in definition.nodes(cst.Call):
                yield from self._added(call, definition.scope)

    def _added(self, call: cst.Call, scope: Scope) -> Iterator[tuple[Ref, Ref]]:
        if type(call.func) is cst.Attribute and call.func.attr.value in ADDS_MEMBERS:
            for argument in call.args:
                yield from self._put(call.func.value, argument.value, scope)

    def _put(
        self, whole: cst.BaseExpression, value: cst.BaseExpression, scope: Scope
    ) -> Iterator[tuple[Ref, Ref]]:
        parts = [*self._named(value, scope), *self._ingredients(value, scope)]
        for ref in self._objects.subjects(whole, scope):
            for part in parts:
                yield ref, part

    def _ingredients(self, node: cst.BaseExpression, scope: Scope, depth: int = 0) -> Iterator[Ref]:
        """What a call is given or made on, or a collection holds, directly or in another one."""
        match node:
            case cst.Name() | cst.Attribute():
                return  # most of them
            case cst.Call() if makes_copy(node, scope):
                return
            case cst.Call(func=func, args=args):
                inner = [argument.value for argument in args]
                made = built(node, scope, self._makers) if depth < _MAX_DEPTH else None
                for call, within in made or ():
                    yield from self._ingredients(call, within, depth + 1)
                if isinstance(func, cst.Attribute) and made is None:
                    inner.append(func.value)
            case cst.List(elements=elements) | cst.Tuple(elements=elements):
                inner = [element.value for element in elements]
            case cst.Dict(elements=pairs):
                inner = [pair.value for pair in pairs]
            case _:
                return
        for part in inner:
            yield from self._named(part, scope)
            yield from self._ingredients(part, scope, depth)

    def _named(self, node: cst.BaseExpression, scope: Scope) -> tuple[Ref, ...]:
        match node:
            case cst.Name() | cst.Attribute() | cst.Subscript():
                return self._objects.subjects(node, scope)
            case cst.Call():
                return ()
            case cst.IfExp(body=one, orelse=other):
                return self._named(one, scope) + self._named(other, scope)
            case cst.BooleanOperation(left=one, right=other):
                return self._named(one, scope) + self._named(other, scope)
        return ()


def _is_gradient(target: cst.BaseExpression) -> bool:
    """`p.grad = q.grad` makes neither tensor a part of the other."""
    return isinstance(target, cst.Attribute) and target.attr.value in GRADIENT_ATTRIBUTES
