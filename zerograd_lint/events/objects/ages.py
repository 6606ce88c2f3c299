"""Which optimizers are older than what a function makes, and so cannot have been built over it."""

from __future__ import annotations

import libcst as cst

from ...program import Ref
from ..scopes.scope import FileIndex, Scope
from .inventory import Inventory
from .separate import Separateness


class Ages:
    """Compares what constructors make with what other methods of their classes make."""

    def __init__(self, index: FileIndex, inventory: Inventory, separateness: Separateness) -> None:
        self._inventory = inventory
        self._separateness = separateness
        self._extended = {
            call.func.value.attr.value
            for definition in index.definitions
            for call in definition.nodes(cst.Call)
            if isinstance(call.func, cst.Attribute)
            and call.func.attr.value == "add_param_group"
            and isinstance(call.func.value, cst.Attribute)
        }
        """Attributes that are given more parameters later."""

    def is_older(self, optimizer: Ref, made: Ref) -> bool:
        """Whether only `__init__` sets the one, and another method of the class makes the other."""
        if len(optimizer.path) != 1 or optimizer.path[0] in self._extended:
            return False
        values = self._inventory.assigned.get(optimizer, [])
        later = self._inventory.assigned.get(made, [])
        return (
            bool(values)
            and all(_is_constructor(value.scope) for value in values)
            and all(
                value.scope.id == made.scope
                and value.scope.within is not None
                and value.scope.within.instance.scope == optimizer.scope
                and not _is_constructor(value.scope)
                for value in later
            )
            and self._separateness.is_new(made)
        )


def _is_constructor(scope: Scope) -> bool:
    owner = scope.within
    constructor = owner.methods.get("__init__") if owner is not None else None
    return constructor is not None and constructor.scope is scope
