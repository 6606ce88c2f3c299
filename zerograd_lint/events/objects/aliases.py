"""May a name or an attribute be another name of an object that is known by one already?"""

from __future__ import annotations

import libcst as cst

from ...program import Ref
from ...syntax.literals import is_none
from ...vocabulary.things import Thing
from ..scopes.scope import ClassInfo, FileIndex
from .classes import Classes
from .inventory import Inventory
from .members import Members

_PICKS = (cst.Name, cst.Attribute, cst.Subscript, cst.IfExp, cst.BooleanOperation)
"""Expressions that make nothing new."""


class Aliases:
    """Answers for references of one file such as `attack.model`."""

    def __init__(
        self, index: FileIndex, classes: Classes, inventory: Inventory, members: Members
    ) -> None:
        self._members = members
        self._classes = classes
        self._inventory = inventory
        self._scopes = {definition.scope.id: definition.scope for definition in index.definitions}
        self._owners = {owner.instance.scope: owner for owner in index.classes}

    def is_possible(self, ref: Ref) -> bool:
        """Whether a name may stand for an object that has another name as well.

        So may an attribute of what an object was given, and what a loop or a choice has picked.
        """
        if not ref.path:
            return self._is_picked(ref)
        if ref.name == "self" or ref.path[0].startswith("["):
            return False
        if Ref(ref.scope, ref.name, ref.path[:1]) in self._inventory.assigned:
            return False
        owner = self._class_of(ref.root)
        values = self._classes.held_by(owner, ref.path[0]) if owner is not None else []
        return not values or any(value.given_as is not None for value in values)

    def may_be_one(self, one: Ref, other: Ref) -> bool:
        """Whether two names may lead to one object: one holds the other, or both what was given."""
        if one.root == other.root:
            one, other = self.in_its_class(one), self.in_its_class(other)
        return (
            not self._given_as(one).isdisjoint(self._given_as(other))
            or self._members.may_hold(one, other)
            or self._members.may_hold(other, one)
        )

    def stands_alone(self, ref: Ref) -> bool:
        """Whether `may_be_one` holds of it and nothing that has another root."""
        return not self._given_as(ref) and self._members.are_apart_from(ref)

    def in_its_class(self, ref: Ref) -> Ref:
        """`trainer.optimizer` as the methods of the trainer know it: `self.optimizer`."""
        owner = self._class_of(ref.root) if ref.path else None
        return Ref(*owner.instance[:2], ref.path) if owner is not None else ref

    def _is_picked(self, ref: Ref) -> bool:
        home = self._scopes.get(ref.scope)
        if home is None or self._inventory.thing(ref) is Thing.TENSOR:
            return False
        return any(
            value is None or value.iterated or _picks(value.expression)
            for value in home.assigned.get(ref.name, ())
        )

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


def _picks(node: cst.BaseExpression) -> bool:
    """Whether an expression gives an object that was there before; None is no object of anyone."""
    return isinstance(node, _PICKS) and not is_none(node)
