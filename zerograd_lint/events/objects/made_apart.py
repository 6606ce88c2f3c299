"""Are two networks two objects, wherever their names belong: a local one, and an attribute?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import libcst as cst

from ...program import Ref
from ...syntax.walk import children
from ..scopes.scope import FileIndex, Value
from .aliases import Aliases
from .inventory import Inventory
from .makers import Makers
from .resolve import Objects
from .separate import TRAINABLE

_COMPUTED = (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.Integer, cst.Float)
"""What gives a number, a text or a tensor, never a network."""


class MadeApart:
    """Tells what constructors make out of nothing that could be a part of both."""

    def __init__(
        self,
        index: FileIndex,
        objects: Objects,
        inventory: Inventory,
        makers: Makers,
        aliases: Aliases,
    ) -> None:
        self._aliases = aliases
        self._index = index
        self._objects = objects
        self._inventory = inventory
        self._makers = makers
        self._known: dict[Ref, frozenset[Ref] | None] = {}

    def are(self, one: Ref, other: Ref) -> bool:
        """Whether constructors in view alone make both, and no network goes into both."""
        first, second = self._made_of(one), self._made_of(other)
        if first is None or second is None:
            return False
        return not any(part.overlaps(another) for part in first for another in second)

    def _made_of(self, ref: Ref) -> frozenset[Ref] | None:
        """An object and all that its constructors are given; None if something else may be it."""
        if ref not in self._known:
            self._known[ref] = self._constructed(ref)
        return self._known[ref]

    def _constructed(self, ref: Ref) -> frozenset[Ref] | None:
        known = {ref, self._aliases.in_its_class(ref)}
        found = set(known)
        given = [value for name in known for value in self._values.get(name, ())]
        values = [value for value in given if not _is_none(value)]
        for value in values:
            call = _constructor(value)
            if value is None or call is None:
                return None
            if self._makers.thing_made(call, value.scope) not in TRAINABLE:
                return None
            for argument in call.args:
                found.update(self._networks_in(argument.value, value))
        for part, later in self._values.items() if values else ():
            if part not in known and any(name.contains(part) for name in known):
                for value in filter(None, later):  # `critic.body = self.actor.body`
                    found.update(self._networks_in(value.expression, value))
        return frozenset(part for part in found if not self._is_plain(part)) if values else None

    def _networks_in(self, node: cst.BaseExpression, value: Value) -> Iterator[Ref]:
        for part in _possible_networks(node):
            yield from self._objects.subjects(part, value.scope)

    @cached_property
    def _values(self) -> dict[Ref, list[Value | None]]:
        """All that local names and attributes are given."""
        found: dict[Ref, list[Value | None]] = {}
        for definition in self._index.definitions:
            scope = definition.scope
            for name, values in scope.assigned.items():
                if name not in scope.parameters:
                    found[Ref(scope.id, name)] = values
        for target, value, scope in self._index.attributes:
            if isinstance(target, cst.Attribute):
                for ref in self._objects.resolve(target, scope):
                    found.setdefault(ref, []).append(value)
        return found

    def _is_plain(self, ref: Ref) -> bool:
        """A number or a text, by its annotation or by all that it is ever given."""
        if ref in self._inventory.annotated.plain:
            return True
        values = self._values.get(ref, ())
        return bool(values) and all(
            value is not None
            and not value.iterated
            and not value.index
            and isinstance(value.expression, (*_COMPUTED, cst.SimpleString))
            for value in values
        )


def _is_none(value: Value | None) -> bool:
    """`self.net = None`, until it is made."""
    node = value.expression if value is not None else None
    return isinstance(node, cst.Name) and node.value == "None"


def _constructor(value: Value | None) -> cst.Call | None:
    """The call that makes a value: `Net(4)` of `Net(4).to(device)`."""
    if value is None or value.iterated or value.index:
        return None
    node = value.expression
    while isinstance(node, cst.Call):
        match node.func:
            case cst.Attribute(value=cst.Call() as inner):
                node = inner
            case _:
                return node
    return None


def _possible_networks(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The objects in an argument, apart from those that a number is computed from."""
    if isinstance(node, _COMPUTED):
        return
    if isinstance(node, cst.Name | cst.Attribute | cst.Subscript):
        yield node
    else:
        for child in children(node):
            yield from _possible_networks(child)
