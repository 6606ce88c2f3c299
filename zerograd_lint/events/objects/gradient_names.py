"""Whose gradients an expression is made from, also by way of a name: `g = p.grad`."""

from __future__ import annotations

import libcst as cst

from ...program import Ref
from ...syntax.names import dotted
from ...syntax.walk import inside
from ...vocabulary.buffers import GRADIENT_ATTRIBUTES
from ..scopes.scope import FileIndex, Scope
from .buffer_access import buffer_owner, buffers_in
from .resolve import Objects

_MOST_NAMES = 4
"""So many names may stand between a gradient and the tensor that is changed by it."""
_SAME_OBJECTS = frozenset("list tuple zip enumerate reversed iter filter".split())
"""Functions of Python that give back what they are given, one after the other."""


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
        self._names: dict[Ref, frozenset[Ref]] = {}
        for _ in range(_MOST_NAMES):
            known = sum(map(len, self._names.values()))
            for definition in index.definitions:
                if definition.scope.id in self._mentioning:
                    self._learn(definition.scope)
            if known == sum(map(len, self._names.values())):
                break

    def _learn(self, scope: Scope) -> None:
        """`grad = delta.grad`, `step = rate * grad.sign()`: the one is made from the other."""
        for name, values in scope.assigned.items():
            ref = Ref(scope.id, name)
            for value in values:
                if value is not None and value.scope.id in self._mentioning:
                    found = self._made_from(value.expression, value.scope) - {ref}
                    if found:
                        self._names[ref] = self._names.get(ref, frozenset()) | found

    def _made_from(self, node: cst.BaseExpression, scope: Scope) -> set[Ref]:
        """Whose gradients a name is given; not what a network makes of a changed tensor."""
        direct = {ref for owner in buffers_in(node) for ref in self._objects.subjects(owner, scope)}
        calls = [part for part in (node, *inside(node)) if isinstance(part, cst.Call)]
        if direct or not all(self._is_arithmetic(call, scope) for call in calls):
            return direct
        return self.owners_in(node, scope)

    def _is_arithmetic(self, call: cst.Call, scope: Scope) -> bool:
        full = scope.imports.full(dotted(call.func) or "")
        if full is not None:
            return full.startswith("torch.")
        return isinstance(call.func, cst.Attribute) and bool(self.owners_in(call.func.value, scope))

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

    def is_gradient(self, name: cst.Name, scope: Scope) -> bool:
        """Whether a name may stand for a gradient, be it of a tensor that is not known."""
        if not self.are_mentioned:
            return False
        if scope.home(name.value) is None:
            return scope.imports.full(name.value) is None  # `if (g := w.grad) is not None:`
        values = scope.values(name.value)
        return (
            bool(self.owners_in(name, scope))
            or any(value is not None and buffers_in(value.expression) for value in values)
            or self.is_held(name, scope)
        )

    def are_given(self, call: cst.Call, scope: Scope) -> bool:
        """`clear(p.grad)`: whose it is makes no difference to a function that may clear it."""
        return any(self.is_held(argument.value, scope) for argument in call.args)

    def is_held(self, node: cst.BaseExpression, scope: Scope, depth: int = 0) -> bool:
        """Whether an expression is a gradient itself, or a list of them: no number made from it."""
        if not self.are_mentioned or depth > _MOST_NAMES:
            return False
        match node:
            case cst.Name(value=name):
                values = scope.values(name) if scope.home(name) is not None else []
                inner = [(v.expression, v.scope) for v in values if v is not None]
            case cst.ListComp(elt=cst.Name(), for_in=each):
                inner = [(each.iter, scope)]
            case cst.ListComp(elt=elt) | cst.GeneratorExp(elt=elt):
                inner = [(elt, scope)]
            case cst.List(elements=elements) | cst.Tuple(elements=elements):
                inner = [(element.value, scope) for element in elements]
            case cst.Call(func=cst.Name(value=name), args=args) if name in _SAME_OBJECTS:
                inner = [(argument.value, scope) for argument in args]
            case _:
                return buffer_owner(node) is not None
        return any(self.is_held(part, home, depth + 1) for part, home in inner)

    def _mentions(self, scope: Scope | None) -> bool:
        """A lambda has a scope of its own, but its code stands in the function around it."""
        while scope is not None:
            if scope.id in self._mentioning:
                return True
            scope = scope.parent
        return False
