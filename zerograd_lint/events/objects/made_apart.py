"""Are two networks two objects, wherever their names belong: a local one, and an attribute?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import libcst as cst

from ...program import Ref
from ...syntax.literals import is_literal, is_none
from ...syntax.walk import children
from ..scopes.scope import FileIndex, Scope, Value
from .aliases import Aliases
from .inventory import Inventory
from .known_calls import makes_copy
from .makers import Makers
from .resolve import Objects
from .separate import TRAINABLE

_MAX_DEPTH = 8
_NUMBERS_OF = frozenset({"range", "len", "int", "float", "max", "min", "round", "str", "bool"})
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
        self._definitions = {each.scope.id: each for each in index.definitions}
        self._known: dict[Ref, frozenset[Ref] | None] = {}

    def are(self, one: Ref, other: Ref) -> bool:
        """Whether constructors in view alone make both, and no network goes into both."""
        first, second = self._made_of(one), self._made_of(other)
        if first is None or second is None or self._are_extended:
            return False
        return not any(self._may_be_one(part, another) for part in first for another in second)

    def _may_be_one(self, part: Ref, another: Ref) -> bool:
        """Whether two parts are one object; callers may give two functions the same."""
        if part.overlaps(another):
            return True
        return (
            part.scope != another.scope
            and part.path == another.path
            and self._is_given(part)
            and self._is_given(another)
        )

    def _is_given(self, ref: Ref) -> bool:
        """A parameter, or a member of what is given for one."""
        definition = self._definitions.get(ref.scope)
        return definition is not None and ref.name in definition.scope.parameters

    def _made_of(self, ref: Ref) -> frozenset[Ref] | None:
        """An object and all that its constructors are given; None if something else may be it."""
        if ref not in self._known:
            self._known[ref] = self._constructed(ref)
        return self._known[ref]

    def _constructed(self, ref: Ref) -> frozenset[Ref] | None:
        known = {ref, self._aliases.in_its_class(ref)}
        given = [value for name in known for value in self._values.get(name, ())]
        values = [value for value in given if not _is_none(value)]
        if not values or not all(map(self._is_constructed, values)):
            return None
        found = set(known)
        pending = list(known)
        for _ in range(_MAX_DEPTH):
            pending = [part for name in pending for part in self._parts_of(name)]
            pending = [part for part in dict.fromkeys(pending) if part not in found]
            found.update(pending)
        return frozenset(found) if not pending else None

    def _is_constructed(self, value: Value | None) -> bool:
        call = _constructor(value)
        if value is None or call is None:
            return False
        return self._makers.thing_made(call, value.scope) in TRAINABLE

    def _parts_of(self, ref: Ref) -> Iterator[Ref]:
        """All that an object is made of, or is given later: `critic.body = self.actor.body`."""
        for name, values in self._values.items():
            if not ref.contains(name):
                continue
            for value in filter(None, values):
                # What a network is moved to or set to is no part of it.
                made = _constructor(value) or value.expression
                for part in _possible_networks(made, value.scope):
                    refs = self._objects.subjects(part, value.scope)
                    yield from (found for found in refs if not self._is_plain(found))

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
            for ref in self._objects.resolve(target, scope):
                found.setdefault(ref, []).append(value)
        return found

    @cached_property
    def _are_extended(self) -> bool:
        """Whether an optimizer is given more than it was built over: then it may be anything."""
        return any(
            isinstance(call.func, cst.Attribute) and call.func.attr.value == "add_param_group"
            for definition in self._index.definitions
            for call in definition.nodes(cst.Call)
        )

    @cached_property
    def _numbers(self) -> frozenset[Ref]:
        """Parameters, and the attributes they become, that are numbers if nothing is given."""
        return frozenset(
            ref
            for definition in self._index.definitions
            for name, parameter in definition.scope.parameters.items()
            if isinstance(parameter.default, cst.Integer | cst.Float)
            for ref in self._objects.resolve_name(name, definition.scope)
        )

    def _is_plain(self, ref: Ref, depth: int = 0) -> bool:
        """A number or a text, by its annotation or by all that it is ever given."""
        if ref in self._inventory.annotated.plain or ref in self._numbers:
            return True
        values = self._values.get(ref, ())
        return bool(values) and all(
            value is not None and self._gives_number(value, depth) for value in values
        )

    def _gives_number(self, value: Value, depth: int) -> bool:
        match value.expression:
            case cst.Call(func=cst.Name(value=name)) if name in _NUMBERS_OF:
                return value.scope.home(name) is None
            case cst.Name(value=name) if value.iterated and depth < _MAX_DEPTH:
                refs = self._objects.resolve_name(name, value.scope)
                return bool(refs) and all(self._is_plain(ref, depth + 1) for ref in refs)
            case cst.Attribute() | cst.Subscript() as node:
                return _is_shape(node)
            case node:
                return isinstance(node, _COMPUTED) or is_literal(node)


def _is_shape(node: cst.BaseExpression) -> bool:
    """`data.shape[1]`."""
    while isinstance(node, cst.Subscript):
        node = node.value
    return isinstance(node, cst.Attribute) and node.attr.value == "shape"


def _is_none(value: Value | None) -> bool:
    """`self.net = None`, until it is made."""
    return value is not None and is_none(value.expression)


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


def _possible_networks(node: cst.CSTNode, scope: Scope) -> Iterator[cst.BaseExpression]:
    """The objects in an argument, apart from those that are copied or that a number comes from."""
    if isinstance(node, _COMPUTED) or makes_copy(node, scope):
        return
    if isinstance(node, cst.Name | cst.Attribute | cst.Subscript):
        yield node
    else:
        for child in children(node):
            yield from _possible_networks(child, scope)
