"""What is put into lists and dicts after they were made: `losses.append(loss)`."""

from __future__ import annotations

import builtins

import libcst as cst

from ...program import Ref
from ...syntax.names import dotted
from ...vocabulary.wrappers import ADDS_MEMBERS
from ..scopes.scope import FileIndex, Scope
from .collections import Placed

Additions = list[Placed]

_COLLECTIONS = frozenset({"list", "dict", "set", "deque", "defaultdict", "OrderedDict"})


class Gathered:
    """The later additions to the variables of one file."""

    def __init__(self, index: FileIndex) -> None:
        self._added: dict[Ref, Additions] = {}
        self._passed_on: dict[Ref, list[cst.Call]] = {}
        for definition in index.definitions:
            for call in definition.nodes(cst.Call):
                self._learn_call(call, definition.scope)
        for target, value, _ in index.attributes:
            if isinstance(target, cst.Subscript) and value is not None:
                self._add(target.value, value.expression, value.scope)

    def into(self, variable: Ref, home: Scope, taker: cst.Call | None = None) -> Additions | None:
        """What is added to a variable; None if other code may add to the collection it holds.

        `taker` is the call that is given the collection when all is in it.
        """
        if any(call is not taker for call in self._passed_on.get(variable, ())) and any(
            value is not None and _is_collection(value.expression)
            for value in home.assigned.get(variable.name, ())
        ):
            return None
        return self._added.get(variable, [])

    def _learn_call(self, call: cst.Call, scope: Scope) -> None:
        if type(call.func) is cst.Attribute and call.func.attr.value in ADDS_MEMBERS:
            for argument in call.args:
                self._add(call.func.value, argument.value, scope)
        elif not _leaves_arguments_alone(call, scope):
            for argument in call.args:
                ref = _variable(argument.value, scope)
                if ref is not None:
                    self._passed_on.setdefault(ref, []).append(call)

    def _add(self, target: cst.BaseExpression, value: cst.BaseExpression, scope: Scope) -> None:
        ref = _variable(target, scope)
        if ref is not None:
            self._added.setdefault(ref, []).append((value, scope))


def _leaves_arguments_alone(call: cst.Call, scope: Scope) -> bool:
    name = dotted(call.func) or ""
    return hasattr(builtins, name) or (scope.imports.full(name) or "").startswith("torch.")


def _variable(node: cst.BaseExpression, scope: Scope) -> Ref | None:
    if type(node) is not cst.Name:
        return None
    home = scope.home(node.value)
    return Ref(home.id, node.value) if home is not None else None


def _is_collection(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Call):
        return (dotted(node.func) or "").rpartition(".")[2] in _COLLECTIONS
    return isinstance(node, cst.List | cst.Dict | cst.Set)
