"""Whether an assignment gives a name the object that it stands for already."""

from __future__ import annotations

import libcst as cst

from ...vocabulary.things import Thing
from ..scopes.scope import Scope
from .given import Given
from .inventory import Inventory
from .new_objects import takes_data
from .resolve import Objects, Refs


class SameObject:
    """Judges assignments such as `net = DDP(net)`."""

    def __init__(self, objects: Objects, inventory: Inventory, given: Given) -> None:
        self._objects = objects
        self._inventory = inventory
        self._given = given

    def keeps(self, target: cst.BaseExpression, value: cst.BaseExpression, scope: Scope) -> bool:
        """Whether the target stands for the same object as before."""
        before = self._objects.resolve(target, scope)
        if not before or takes_data(value):
            return False
        if set(before) <= set(self._objects.resolve(value, scope)):
            return True
        if not isinstance(value, cst.Call):
            return False
        if self._is_wrappable(before):
            # What is computed from it is something else, whatever is then done to it.
            given = [a.value for a in value.args if not isinstance(a.value, cst.BinaryOperation)]
        else:
            # What a function makes of a tensor is another one, unless it is seen to give it back.
            given = self._given_back(value, scope)
        return any(set(before) & set(self._objects.resolve(argument, scope)) for argument in given)

    def _is_wrappable(self, refs: Refs) -> bool:
        """A network or an optimizer, which wrappers are written for."""
        things = {self._inventory.thing(ref) for ref in refs}
        return not things & {None, Thing.TENSOR}

    def _given_back(self, call: cst.Call, scope: Scope) -> list[cst.BaseExpression]:
        """The arguments that a function in view returns as they are."""
        called = self._given.called(call, scope)
        if called is None or called.makes:
            return []
        inner = called.definition.scope
        returned = [node.value for node in called.definition.nodes(cst.Return)]
        names = {node.value if isinstance(node, cst.Name) else "" for node in returned}
        if len(names) != 1 or not names.isdisjoint(inner.assigned):
            return []
        return [argument for name, argument in called.arguments(call) if name in names]
