"""Methods that give an attribute of their object: `trainer.get_optimizer()`."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import dotted
from ..scopes.scope import ClassInfo, Definition, Scope
from .classes import Classes


class Getters:
    """Finds them among the methods of the classes in view."""

    def __init__(self, classes: Classes) -> None:
        self._classes = classes
        self._known: dict[tuple[ClassInfo, str], tuple[str, ...]] = {}

    def attributes(self, method: cst.Attribute, scope: Scope) -> tuple[str, ...]:
        """The attributes that lead from an object to what its method gives back.

        Empty for what is no such method, or is not in view.
        """
        owner = self._classes.class_of(method.value, scope)
        if owner is None:
            return ()
        key = (owner, method.attr.value)
        if key not in self._known:
            definition = self._classes.method(owner, method.attr.value)
            self._known[key] = _given(definition) if definition is not None else ()
        return self._known[key]


def _given(method: Definition) -> tuple[str, ...]:
    """The attributes behind `self` in what a method returns, if that is the same every time."""
    if method.decorators or method.static or method.nodes(cst.Yield):
        return ()
    returned = {
        dotted(node.value) if node.value is not None else None for node in method.nodes(cst.Return)
    }
    spelt = returned.pop() if len(returned) == 1 else None
    head, _, rest = (spelt or "").partition(".")
    return tuple(rest.split(".")) if rest and head == method.scope.instance_name else ()
