"""Whose gradients an expression is made from, also by way of a name: `g = p.grad`."""

from __future__ import annotations

import libcst as cst

from ...program import Ref
from ...syntax.walk import inside
from ...vocabulary.buffers import GRADIENT_ATTRIBUTES
from ..scopes.scope import FileIndex, Scope
from .buffer_access import buffers_in
from .resolve import Objects, Refs


class GradientNames:
    """The local names of one file that hold a gradient."""

    def __init__(self, index: FileIndex, objects: Objects) -> None:
        self._objects = objects
        self._mentioning = {
            definition.scope.id
            for definition in index.definitions
            if any(n.attr.value in GRADIENT_ATTRIBUTES for n in definition.nodes(cst.Attribute))
        }
        """Functions in which a `.grad` stands; in most of them none does."""
        self.are_mentioned = bool(self._mentioning)
        """Somewhere in the file something is done to a gradient by hand."""
        self._names: dict[Ref, Refs] = {}
        for definition in index.definitions:
            self._learn(definition.scope)

    def _learn(self, scope: Scope) -> None:
        for name, values in scope.assigned.items():
            for value in values:
                if value is None or value.scope.id not in self._mentioning:
                    continue
                for owner in buffers_in(value.expression):
                    refs = self._objects.subjects(owner, value.scope)
                    if refs:
                        known = self._names.get(Ref(scope.id, name), ())
                        self._names[Ref(scope.id, name)] = known + refs

    def owners_in(self, source: cst.CSTNode, scope: Scope) -> set[Ref]:
        """The tensors and modules whose gradients go into an expression."""
        found: set[Ref] = set()
        if self._mentions(scope):
            for owner in buffers_in(source):
                found.update(self._objects.subjects(owner, scope))
        for part in (source, *inside(source)) if self._names else ():
            if type(part) is cst.Name:
                home = scope.home(part.value)
                if home is not None:
                    found.update(self._names.get(Ref(home.id, part.value), ()))
        return found

    def _mentions(self, scope: Scope | None) -> bool:
        """A lambda has a scope of its own, but its code stands in the function around it."""
        while scope is not None:
            if scope.id in self._mentioning:
                return True
            scope = scope.parent
        return False
