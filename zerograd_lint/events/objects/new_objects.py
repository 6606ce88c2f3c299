"""Whether an expression makes a new tensor or module, to which no gradient belongs yet."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import dotted
from ...vocabulary.things import Thing
from ...vocabulary.wrappers import NEW_TENSOR, NEW_TENSOR_METHODS, SAME_METHODS
from ..scopes.scope import Scope
from .classes import Classes
from .makers import Makers

_OPERATIONS = (cst.BinaryOperation, cst.UnaryOperation)
_COMPREHENSIONS = (cst.ListComp, cst.SetComp, cst.GeneratorExp)


class NewObjects:
    """Judges what is assigned. What comes out of code that is not read may be old."""

    def __init__(self, makers: Makers, classes: Classes) -> None:
        self._makers = makers
        self._classes = classes

    def is_new(self, node: cst.BaseExpression, scope: Scope) -> bool:
        """Whether all that an expression gives is made by it."""
        match node:
            case cst.Call():
                return self._is_made(node, scope) or takes_data(node)
            case cst.IfExp(body=body, orelse=orelse):
                return self.is_new(body, scope) and self.is_new(orelse, scope)
            case cst.List(elements=elements) | cst.Tuple(elements=elements):
                return all(self.is_new(element.value, scope) for element in elements)
            case cst.Dict(elements=entries):
                return all(self.is_new(entry.value, scope) for entry in entries)
            case cst.DictComp(value=made):
                return self.is_new(made, scope)
        if isinstance(node, _COMPREHENSIONS):
            return self.is_new(node.elt, scope)
        return isinstance(node, _OPERATIONS) or takes_data(node)

    def makes_tensor(self, call: cst.Call, scope: Scope) -> bool:
        """Whether a function of torch gives a new tensor, whatever it is given."""
        full = scope.imports.full(dotted(call.func) or "")
        return full is not None and NEW_TENSOR.match(full) is not None

    def _is_made(self, call: cst.Call, scope: Scope) -> bool:
        if self.makes_tensor(call, scope):
            return True
        name = dotted(call.func)
        if name is not None and self._classes.class_named(name, scope) is not None:
            return True
        if isinstance(call.func, cst.Attribute):
            method = call.func.attr.value
            if method in NEW_TENSOR_METHODS:
                return True
            if method in SAME_METHODS and self.is_new(call.func.value, scope):
                return True
        return self._makers.thing_made(call, scope) in (Thing.TENSOR, Thing.MODULE)


def takes_data(node: cst.BaseExpression) -> bool:
    """`w.data`, `w.data.requires_grad_()`: another tensor over one memory, with no gradient."""
    while isinstance(node, cst.Call):
        match node.func:
            case cst.Attribute(value=inner, attr=cst.Name(value=method)) if method in SAME_METHODS:
                node = inner
            case _:
                return False
    return isinstance(node, cst.Attribute) and node.attr.value == "data"
