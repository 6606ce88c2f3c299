"""Calls whose callee is in view, or belongs to a library that is known."""

from __future__ import annotations

import builtins

import libcst as cst

from ...syntax.names import dotted
from ...syntax.walk import inside
from ...vocabulary.unread_calls import KNOWN_LIBRARIES, PASSIVE_LIBRARIES
from ...vocabulary.wrappers import COPIES
from ..scopes.scope import Definition, Scope, Value
from .classes import Classes

_CONTAINERS = frozenset({cst.List, cst.Dict, cst.Set, cst.ListComp, cst.DictComp, cst.SetComp})


class KnownCalls:
    """Tells what is read or known from what is out of view."""

    def __init__(self, classes: Classes) -> None:
        self._classes = classes
        self._kept: dict[tuple[str, str], bool] = {}

    def is_known(self, call: cst.Call, scope: Scope) -> bool:
        """Whether a call runs code of the file, or of a library that keeps nothing for itself."""
        return self.is_library(call.func, scope) or self.is_in_view(call.func, scope)

    def is_library(self, func: cst.BaseExpression, scope: Scope) -> bool:
        """Whether a function belongs to Python or to a well-known library."""
        return self._belongs_to(func, scope, KNOWN_LIBRARIES)

    def _belongs_to(
        self, func: cst.BaseExpression, scope: Scope, libraries: tuple[str, ...]
    ) -> bool:
        name = dotted(func) or ""
        if scope.home(name.partition(".")[0]) is not None:
            return False
        full = scope.imports.full(name)
        if full is None:
            return hasattr(builtins, name)
        return full.startswith(libraries)

    def is_passive(self, value: Value) -> bool:
        """Whether a value is one of Python's, or a library's, whose methods act on nothing else."""
        node = value.expression
        if value.iterated or value.index:
            return False
        if type(node) in _CONTAINERS:
            return True
        return isinstance(node, cst.Call) and self._belongs_to(
            node.func, value.scope, PASSIVE_LIBRARIES
        )

    def keeps(self, definition: Definition, parameter: str) -> bool:
        """Whether what a function gives back may hold what it was given for a parameter."""
        key = (definition.scope.id, parameter)
        if key not in self._kept:
            self._kept[key] = self._may_keep(definition, parameter)
        return self._kept[key]

    def _may_keep(self, definition: Definition, parameter: str) -> bool:
        for call in definition.nodes(cst.Call):
            if not self.is_library(call.func, definition.scope):
                if any(_names(argument.value, parameter) for argument in call.args):
                    return True
        found = [node.value for node in definition.nodes(cst.Assign)]
        found += [node.value for node in definition.nodes(cst.Return) if node.value is not None]
        return any(
            _names(part, parameter)
            for value in found
            if not isinstance(value, cst.Call)
            for part in (value, *inside(value))
        )

    def is_in_view(self, func: cst.BaseExpression, scope: Scope) -> bool:
        """Whether a function, a class or a method has been read."""
        match func:
            case cst.Name(value=name):
                home = scope.home(name)
                return home is not None and (name in home.functions or name in home.classes)
            case cst.Attribute(value=receiver, attr=cst.Name(value=method)):
                if scope.imports.is_read(dotted(func) or ""):
                    return True
                owner = self._classes.class_of(receiver, scope)
                return owner is not None and self._classes.method(owner, method) is not None
        return False


def _names(node: cst.CSTNode, name: str) -> bool:
    return isinstance(node, cst.Name) and node.value == name


def runs_base(call: cst.Call, scope: Scope) -> bool:
    """`Base.__init__(self, size)`: a method of a base by its name, as `super()` would run it."""
    match call.func:
        case cst.Attribute(value=receiver) if scope.within is not None:
            return dotted(receiver) in scope.within.bases
    return False


def makes_copy(node: cst.CSTNode, scope: Scope) -> bool:
    """`copy.deepcopy(net)`: what is made shares nothing with what it is made from."""
    return isinstance(node, cst.Call) and scope.imports.full(dotted(node.func) or "") in COPIES
