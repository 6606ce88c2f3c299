"""May an attribute be another name of an object that was handed in from outside?"""

from __future__ import annotations

from ...program import Ref
from ..scopes.scope import ClassInfo, FileIndex
from .classes import Classes
from .inventory import Inventory


class Aliases:
    """Answers for references of one file such as `attack.model`."""

    def __init__(self, index: FileIndex, classes: Classes, inventory: Inventory) -> None:
        self._classes = classes
        self._inventory = inventory
        self._owners = {owner.instance.scope: owner for owner in index.classes}

    def is_possible(self, ref: Ref) -> bool:
        """Whether an object's attribute may be what the object was given, under another name."""
        if ref.name == "self" or not ref.path or ref.path[0].startswith("["):
            return False
        if Ref(ref.scope, ref.name, ref.path[:1]) in self._inventory.assigned:
            return False
        owner = self._class_of(ref.root)
        values = self._classes.held_by(owner, ref.path[0]) if owner is not None else []
        return not values or any(value.given_as is not None for value in values)

    def may_be_one(self, one: Ref, other: Ref) -> bool:
        """Whether two attributes of an instance may hold what was given under one name."""
        return not self._given_as(one).isdisjoint(self._given_as(other))

    def _given_as(self, ref: Ref) -> set[str]:
        """The parameters whose arguments an attribute may hold."""
        owner = self._owners.get(ref.scope)
        if owner is None or len(ref.path) != 1:
            return set()
        values = self._classes.held_by(owner, ref.path[0])
        return {value.given_as for value in values if value.given_as is not None}

    def _class_of(self, root: Ref) -> ClassInfo | None:
        for value in self._inventory.assigned.get(root, ()):
            owner = self._classes.class_of(value.expression, value.scope)
            if owner is not None:
                return owner
        return self._classes.of_unnamed(root)
