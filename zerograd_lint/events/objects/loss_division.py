"""Whether a loss is divided on its way to the backward, so that accumulation averages."""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst

from ...program import Ref
from ...syntax.names import dotted, last_name
from ...syntax.walk import inside
from ..scopes.scope import Definition, FileIndex, Scope
from .losses import ingredients

_DIVIDES = frozenset("div div_ divide divide_ true_divide true_divide_ mul mul_ multiply".split())


class LossDivision:
    """Answers for one file; what cannot be read may divide."""

    def __init__(self, index: FileIndex, assigned: Collection[Ref]) -> None:
        self._assigned = assigned
        self._divided_in_place: set[tuple[str, str]] = set()
        """Names that are changed by `loss.div_(n)`, with the scopes they belong to."""
        self._functions: dict[str, list[Definition]] = {}
        """The functions and methods of the file, by name."""
        for definition in index.definitions:
            if isinstance(definition.node, cst.FunctionDef):
                self._functions.setdefault(definition.node.name.value, []).append(definition)
            for call in filter(_divides, definition.nodes(cst.Call)):
                name = dotted(call.func.value) if isinstance(call.func, cst.Attribute) else None
                home = definition.scope.home(name) if name is not None else None
                if home is not None and name is not None:
                    self._divided_in_place.add((home.id, name))

    def may_divide(self, loss: cst.CSTNode, scope: Scope) -> bool:
        """Whether a loss was divided, or came from unread code that may have done so."""
        for node, home in ingredients(loss, scope):
            match node:
                case cst.BinaryOperation() if _divides(node):
                    return True
                case cst.Name(value=name):
                    added = home.augmented.get(name, ())
                    if any(isinstance(c.operator, cst.DivideAssign) for c in added):
                        return True
                    if (home.id, name) in self._divided_in_place:
                        return True
                case cst.Call() if _divides(node) or self._is_unread(node, home):
                    return True
        return False

    def _is_unread(self, call: cst.Call, scope: Scope) -> bool:
        """A helper that divides, or one that is out of view."""
        name = last_name(call.func)
        if name in self._functions:
            return any(_divides(node) for own in self._functions[name] for node in inside(own.node))
        spelt = dotted(call.func) or ""
        root = spelt.partition(".")[0]
        if root == scope.instance_name and scope.within is not None:
            held = scope.within.instance.child(name) in self._assigned
            return spelt.count(".") == 1 and not held
        full = scope.imports.full(spelt)
        return full is not None and scope.home(root) is None and not full.startswith("torch")


def _divides(node: cst.CSTNode) -> bool:
    """`loss / n`, `loss * (1 / n)`, `loss.div(n)`, `torch.div(loss, n)`."""
    if type(node) is cst.Call:
        return type(node.func) is cst.Attribute and node.func.attr.value in _DIVIDES
    return type(node) is cst.BinaryOperation and isinstance(
        node.operator, cst.Divide | cst.Multiply
    )
