"""Functions that run without being called by name: handed around, registered, or run by syntax."""

from __future__ import annotations

from collections.abc import Set

import libcst as cst

from ...program import Block, Invoke, Loop, Suspend
from ...syntax.names import last_name
from ...syntax.walk import everything_in
from ...vocabulary.buffers import GRADIENT_ATTRIBUTES
from ...vocabulary.calls import BACKWARD_METHODS, EFFECTS, ZEROING_METHODS, Effect, method_idiom
from ...vocabulary.frameworks import PLAIN_DECORATORS, PROPERTIES, RUN_BY_TORCH
from ...vocabulary.unread_calls import IN_PLACE, SETS_BY_NAME
from ..objects.buffer_access import buffers_in
from ..objects.resolver import Resolver
from ..scopes.scope import Definition
from .callees import Callees
from .emitter import Emitter

_TOUCHES_GRADIENTS = ZEROING_METHODS | GRADIENT_ATTRIBUTES
_ONCE = frozenset({"__init__", "__new__", "__post_init__", "__init_subclass__"})
"""Special methods that run when an object is made, and not again."""
_MAY_CLEAR = frozenset({cst.Attribute, cst.AssignTarget, cst.AugAssign, cst.Del, cst.Call})


class HandedFunctions:
    """Which functions of one file may run at a time that cannot be seen."""

    def __init__(self, resolver: Resolver, callees: Callees, emitter: Emitter) -> None:
        index = resolver.index
        self._resolver = resolver
        self._callees = callees
        self._emitter = emitter
        self.scopes: set[str] = set()
        """Scopes of functions handed around as values."""
        self.unnamed = {
            definition.scope.id for definition in index.definitions if _runs_unnamed(definition)
        }
        """Scopes of functions that run without being named."""
        self._generators = {d.scope.id for d in index.definitions if d.nodes(cst.Yield)}

    def without_generators(self, lowered: Block) -> Block:
        """`batches = generate(data)`: it runs when its elements are asked for, a part at a time."""
        kept: Block = []
        for statement in lowered:
            if isinstance(statement, Invoke) and statement.function.scope in self._generators:
                self.scopes.add(statement.function.scope)
            else:
                kept.append(statement)
        return kept

    def passed_on(self, lowered: Block) -> Block:
        """`yield from generate(data)`: whoever consumes the one consumes the other."""
        for statement in lowered:
            if isinstance(statement, Invoke) and statement.function.scope in self._generators:
                statement.consumer = [Suspend()]
                return lowered
        return [*lowered, Loop([Suspend()])]

    def add(self, definition: Definition) -> None:
        """A function is named without being called."""
        self.scopes.add(definition.scope.id)

    def add_lambda(self, node: cst.Lambda) -> None:
        """A lambda that acts on gradients may be called by whatever gets hold of it."""
        if may_clear(node):
            found = self._callees.referenced(node, self._emitter.scope)
            if found is not None:
                self.add(found.definition)

    def runs_in_step(self, node: cst.BaseExpression, call: cst.Call) -> bool:
        """`optimizer.step(closure)` runs the closure, and keeps it for no other time."""
        if not isinstance(call.func, cst.Attribute) or not isinstance(node, cst.Name):
            return False
        scope = self._emitter.scope
        refs = self._resolver.objects.subjects(call.func.value, scope)
        things = {self._resolver.inventory.thing(ref) for ref in refs}
        idiom = method_idiom(call.func.attr.value, things, given=True)
        return idiom is not None and idiom.closure

    def given_to(self, call: cst.Call) -> list[cst.CSTNode]:
        """The code of the functions in view that a call is given."""
        found = [self._function(argument.value) for argument in call.args]
        return [node for node in found if node is not None]

    def replaces_method(self, target: cst.BaseExpression, value: cst.BaseExpression) -> bool:
        """`net.forward = MethodType(forward, net)`: it runs whenever that method would."""
        if not isinstance(target, cst.Attribute) or self._emitter.scope.is_instance(target.value):
            return False
        if isinstance(value, cst.Call):
            return any(map(may_clear, self.given_to(value)))
        function = self._function(value)
        return function is not None and may_clear(function)

    def _function(self, node: cst.BaseExpression) -> cst.CSTNode | None:
        """The code of the function in view that an expression names."""
        match node:
            case cst.Name() | cst.Attribute():
                found = self._callees.referenced(node, self._emitter.scope)
                return found.definition.node if found is not None else None
            case cst.Lambda():
                return node
        return None


def goes_backward(definition: Definition) -> bool:
    """Whether a backward is called in a function itself."""
    calls = definition.nodes(cst.Call)
    return any(EFFECTS.get(last_name(call.func)) is Effect.DEPOSIT for call in calls)


def touches_gradients(node: cst.CSTNode) -> bool:
    """Whether code names a zeroing, or a gradient."""
    return _names(node, _TOUCHES_GRADIENTS)


def runs_backward(node: cst.CSTNode) -> bool:
    """Whether code names a backward."""
    return _names(node, BACKWARD_METHODS)


def may_clear(node: cst.CSTNode) -> bool:
    """Whether code zeroes, or sets or changes a gradient: to ask for one clears nothing."""
    return any(_clears(part) for part in everything_in(node) if type(part) in _MAY_CLEAR)


def _clears(part: cst.CSTNode) -> bool:
    match part:
        case cst.Attribute(attr=cst.Name(value=name)):
            return name in ZEROING_METHODS
        case (
            cst.AssignTarget(target=target) | cst.AugAssign(target=target) | cst.Del(target=target)
        ):
            return bool(buffers_in(target))
        case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(value=name))):
            return name.endswith(IN_PLACE) and bool(buffers_in(receiver))
        case cst.Call(func=cst.Name(value=name)):
            return name in SETS_BY_NAME
    return False


def _names(node: cst.CSTNode, words: Set[str]) -> bool:
    return any(
        isinstance(part, cst.Attribute) and part.attr.value in words for part in everything_in(node)
    )


def _runs_unnamed(definition: Definition) -> bool:
    """A property, `__iter__`, the `forward` of a network, what a decorator may have kept."""
    name, outer = definition.function.name, definition.scope.parent
    if definition.scope.within is not None and name not in _ONCE:
        if name in RUN_BY_TORCH or (name.startswith("__") and name.endswith("__")):
            return True
    return outer is not None and any(
        decorator.rpartition(".")[2] in PROPERTIES
        or not (outer.imports.full(decorator) or decorator).startswith(PLAIN_DECORATORS)
        for decorator in definition.decorators
    )
