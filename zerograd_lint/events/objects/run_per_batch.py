"""Functions that a library calls for every batch, and clears nothing between two calls."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...program import Function, Ref
from ...syntax.names import dotted
from ...vocabulary.frameworks import CALLED_PER_BATCH, CALLS_PER_BATCH
from ..scopes.scope import Definition, FileIndex, Scope
from .classes import Classes


class RunPerBatch:
    """Answers for the functions of one file."""

    def __init__(self, index: FileIndex, classes: Classes) -> None:
        self._classes = classes
        self._owners = {owner.instance.scope: owner for owner in index.classes}
        self._given = {given.scope.id for d in index.definitions for given in self._given_by(d)}
        """The scopes of functions that were given to what calls them for every batch."""

    def of(self, function: Function, owner: Ref) -> bool:
        """Whether a function is called for every batch, each time with the same owner."""
        if function.scope in self._given:
            return owner.root not in function.parameters
        own_class = self._owners.get(function.owner_class or "")
        if own_class is None or owner.scope != function.owner_class:
            return False
        known = CALLED_PER_BATCH.get(function.name, ())
        return any(base in known for base in self._classes.foreign_bases(own_class))

    def _given_by(self, definition: Definition) -> Iterator[Definition]:
        """`Engine(update)`, `Engine(self.update)`: what a function gives to such a class."""
        scope = definition.scope
        for call in definition.nodes(cst.Call):
            if call.args and scope.imports.full(dotted(call.func) or "") in CALLS_PER_BATCH:
                found = self._function(call.args[0].value, scope)
                if found is not None:
                    yield found

    def _function(self, node: cst.BaseExpression, scope: Scope) -> Definition | None:
        match node:
            case cst.Name(value=name):
                home = scope.home(name)
                return home.functions.get(name) if home is not None else None
            case cst.Attribute(value=base, attr=cst.Name(value=name)):
                if scope.is_instance(base) and scope.within is not None:
                    return self._classes.method(scope.within, name)
        return None
