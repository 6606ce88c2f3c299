"""What is handed over with an object: what it holds, and what callers give for a parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

import libcst as cst

from ...program import Ref
from ...syntax.names import last_name
from ...vocabulary.wrappers import ADDS_MEMBERS, HOLDS_ARGUMENTS
from ..scopes.scope import FileIndex, Scope
from .given import Given
from .inventory import Inventory
from .resolve import Objects

_MAX_DEPTH = 3
_GROUPS = ((), ("param_groups",))
"""An optimizer, or all that it covers."""


class HandedOn:
    """Answers for the objects of one file, as far as its code puts them together.

    Only what keeps an object as it is counts: what a call computes from a network does not hold it.
    """

    def __init__(
        self, index: FileIndex, objects: Objects, inventory: Inventory, given: Given
    ) -> None:
        self._index = index
        self._objects = objects
        self._inventory = inventory
        self._given = given
        self._known: dict[tuple[Callable[[Ref], Iterable[Ref]], Ref], tuple[Ref, ...]] = {}
        """One step from an object: a name with many values is handed on many times."""

    def passed(self, given: Iterable[Ref], acting: Iterable[Ref]) -> list[Ref]:
        """What code can reach by way of what it is given, or of the objects that it belongs to.

        What is given may be anything that callers in view give; what acts is what it is.
        """
        by_callers = self._follow(given, self._held_by, self._given_as)
        return by_callers + self._follow(acting, self._held_by)

    def _follow(self, refs: Iterable[Ref], *steps: Callable[[Ref], Iterable[Ref]]) -> list[Ref]:
        found: dict[Ref, None] = {}
        pending = list(refs)
        for _ in range(_MAX_DEPTH):
            pending = [
                held
                for each in pending
                for step in steps
                for held in self._after(step, each)
                if held not in found
            ]
            found.update(dict.fromkeys(pending))
        return list(found)

    def _after(self, step: Callable[[Ref], Iterable[Ref]], ref: Ref) -> tuple[Ref, ...]:
        key = (step, ref)
        if key not in self._known:
            self._known[key] = tuple(step(ref))
        return self._known[key]

    def _held_by(self, ref: Ref) -> Iterator[Ref]:
        yield from self._put_in.get(ref, ())
        for value in self._inventory.assigned.get(ref, ()):
            if not (value.iterated or value.index):
                yield from self._held(value.expression, value.scope)

    def _given_as(self, ref: Ref) -> Iterator[Ref]:
        for value in self._inventory.assigned.get(ref, ()):
            if value.given_as is not None and not (value.iterated or value.index):
                yield from self._argument(Ref(value.scope.id, value.given_as))
        if ref.path in _GROUPS:
            yield from self._argument(ref.root)

    def _argument(self, parameter: Ref) -> Iterator[Ref]:
        for value in self._given.to(parameter):
            yield from self._objects.subjects(value.expression, value.scope)
            yield from self._held(value.expression, value.scope)

    @cached_property
    def _put_in(self) -> dict[Ref, list[Ref]]:
        """What is put into collections, or set on other objects, after those are made."""
        found: dict[Ref, list[Ref]] = {}
        for whole, part, scope in self._added():
            parts = [*self._kept(part, scope)]
            for ref in self._objects.subjects(whole, scope) if parts else ():
                if not (ref.name == "self" and not ref.path):
                    found.setdefault(ref, []).extend(parts)
        return found

    def _added(self) -> Iterator[tuple[cst.BaseExpression, cst.BaseExpression, Scope]]:
        for target, assigned, scope in self._index.attributes:
            if assigned is not None and not assigned.iterated:
                yield target.value, assigned.expression, scope
        for definition in self._index.definitions:
            for call in definition.nodes(cst.Call):
                if type(call.func) is cst.Attribute and call.func.attr.value in ADDS_MEMBERS:
                    for argument in call.args:
                        yield call.func.value, argument.value, definition.scope

    def _held(self, node: cst.BaseExpression, scope: Scope) -> Iterator[Ref]:
        """What a collection is made of, or a function that is kept for later is given."""
        match node:
            case cst.List(elements=parts) | cst.Tuple(elements=parts) | cst.Set(elements=parts):
                inner = [part.value for part in parts]
            case cst.Dict(elements=pairs):
                inner = [pair.value for pair in pairs]
            case cst.Call(func=func, args=args) if last_name(func) in HOLDS_ARGUMENTS:
                inner = [argument.value for argument in args]
            case _:
                return
        for part in inner:
            yield from self._kept(part, scope)

    def _kept(self, node: cst.BaseExpression, scope: Scope) -> Iterator[Ref]:
        if isinstance(node, cst.Name | cst.Attribute | cst.Subscript):
            yield from self._objects.subjects(node, scope)
        else:
            yield from self._held(node, scope)
