"""Lists and dicts that attributes hold: `self.optimizers = []`, and what is put into them."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from ...program import Ref
from ..scopes.scope import FileIndex, Scope, Value
from .collections import Placed, spelt_out

Resolve = Callable[[cst.BaseExpression, Scope], tuple[Ref, ...]]


class HeldCollections:
    """What the collections consist of that the attributes of one file hold."""

    def __init__(self) -> None:
        self._made: dict[Ref, list[Value | None]] = {}
        """What attributes are given."""
        self._added: dict[Ref, list[Value | None]] = {}
        """What is put into the collections that attributes hold."""
        self.refilled: set[Ref] = set()
        """Collections of which some member is added or replaced after they were made."""

    def learn(self, index: FileIndex, resolve: Resolve) -> None:
        """Gather what the statements of a file give to attributes, and put into them."""
        for target, value, scope in index.attributes:
            if isinstance(target, cst.Subscript):
                self.refilled.update(resolve(target.value, scope))
            match target:
                case cst.Attribute():
                    held, into = target, self._made
                case cst.Subscript(value=cst.Attribute() as held):
                    into = self._added
                case _:
                    continue
            for ref in resolve(held, scope):
                into.setdefault(ref, []).append(value)

    def of(self, collections: tuple[Ref, ...]) -> list[Placed] | None:
        """The members of one collection that is made once; None where some are not in view."""
        if len(collections) != 1:
            return None
        made, added = self._made.get(collections[0], []), self._added.get(collections[0], [])
        if len(made) != 1 or made[0] is None or made[0].iterated or made[0].index:
            return None
        found = spelt_out(made[0].expression, made[0].scope)
        if found is None:
            return None
        for value in added:
            if value is None or value.iterated or value.index:
                return None
            found.append((value.expression, value.scope))
        return found or None
