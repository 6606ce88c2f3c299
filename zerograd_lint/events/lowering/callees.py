"""Which function of the file a call runs, and what its parameters are bound to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from ...program import Ref
from ...syntax.names import dotted
from ...vocabulary.things import Thing
from ..scopes.index import Class, Definition, Scope

if TYPE_CHECKING:
    from .module import Lowering

_TORCH_METHODS = frozenset({"step", "zero_grad", "__init__"})
_KEEPS_FUNCTION = frozenset(
    {"compile", "script", "jit", "partial", "wraps", "no_grad", "checkpoint"}
)
_MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Callee:
    definition: Definition
    instance: Ref | None = None
    """What `self` is in the callee."""
    bound: tuple[cst.Arg, ...] = ()
    """Arguments a `partial` has already supplied."""


class Callees:
    def __init__(self, lowering: Lowering) -> None:
        self._lowering = lowering

    def find(self, call: cst.Call, made: Ref | None) -> Callee | None:
        """The function of this file that a call runs, if it can be told."""
        objects, scope = self._lowering.objects, self._lowering.scope
        name = dotted(call.func)
        owner = objects.class_named(name, scope) if name is not None else None
        if owner is not None:
            if self._lowering.inventory.class_thing(owner) is Thing.OPTIMIZER:
                return None
            start = objects.method(owner, "__init__")
            instance = made or Ref(scope.id, f"<{owner.name}>")
            return Callee(start, instance) if start is not None else None
        return self.referenced(call.func) or self._called_object(call.func, scope)

    def _called_object(self, node: cst.BaseExpression, scope: Scope) -> Callee | None:
        """`trainer(batch)` runs `__call__` of the trainer's class."""
        objects = self._lowering.objects
        owner = objects.class_of(node, scope)
        method = objects.method(owner, "__call__") if owner is not None else None
        if owner is None or method is None:
            return None
        refs = objects.resolve(node, scope)
        return Callee(method, refs[0] if refs else Ref(scope.id, f"<{owner.name}>"))

    def referenced(
        self, node: cst.BaseExpression, scope: Scope | None = None, depth: int = 0
    ) -> Callee | None:
        """The function an expression names: a def, a lambda, a method, a partial, an alias."""
        if depth > _MAX_DEPTH:
            return None
        scope = scope or self._lowering.scope
        match node:
            case cst.Lambda():
                return Callee(self._lowering.lambda_definition(node))
            case cst.Name(value=name):
                home = scope.home(name)
                if home is None:
                    return None
                if name in home.functions:
                    return Callee(home.functions[name])
                values = home.assigned.get(name, [])
                if len(values) == 1 and values[0] is not None:
                    value = values[0]
                    if not value.iterated and not value.index:
                        return self.referenced(value.expression, value.scope, depth + 1)
            case cst.Attribute(value=receiver, attr=cst.Name(value=method)):
                return self._method(receiver, method, scope, depth)
            case cst.Call(func=func, args=args) if args:
                last = (dotted(func) or "").rpartition(".")[2]
                if last in _KEEPS_FUNCTION:
                    inner = self.referenced(args[0].value, scope, depth + 1)
                    if inner is not None and last == "partial":
                        return Callee(inner.definition, inner.instance, tuple(args[1:]))
                    return inner
        return None

    def _method(
        self, receiver: cst.BaseExpression, method: str, scope: Scope, depth: int
    ) -> Callee | None:
        lowering = self._lowering
        objects = lowering.objects
        if isinstance(receiver, cst.Call) and dotted(receiver.func) == "super":
            within = scope.within
            if within is None:
                return None
            above = objects.method(within, method, above=True)
            return Callee(above, within.instance) if above is not None else None
        name = dotted(receiver)
        named = objects.class_named(name, scope) if name is not None else None
        owner = named or objects.class_of(receiver, scope)
        if owner is None:
            return None
        if method in _TORCH_METHODS and lowering.inventory.class_thing(owner) is Thing.OPTIMIZER:
            return None
        definition = objects.method(owner, method)
        if definition is None:
            return self._held_function(owner, method, depth)
        if named is not None:
            return Callee(definition)
        refs = objects.resolve(receiver, scope)
        instance = refs[0] if refs else Ref(scope.id, f"<{owner.name}>")
        return Callee(definition, instance)

    def _held_function(self, owner: Class, attribute: str, depth: int) -> Callee | None:
        """A callback kept in an attribute: `self.on_batch = on_batch`."""
        found = self._lowering.objects.held_by(owner, attribute)
        if len(found) == 1 and not found[0].index:
            return self.referenced(found[0].expression, found[0].scope, depth + 1)
        return None

    def binding(self, callee: Callee, call: cst.Call) -> tuple[tuple[Ref, Ref], ...]:
        """What the callee's parameters stand for at this call."""
        definition = callee.definition
        scope = definition.scope
        names = list(scope.parameters)
        pairs: list[tuple[Ref, Ref]] = []
        if callee.instance is not None and scope.within is not None and not definition.static:
            if scope.within.instance != callee.instance:
                pairs.append((scope.within.instance, callee.instance))
            names = names[1:]
        positional = iter(names)
        for argument in (*callee.bound, *call.args):
            if argument.star:
                break
            keyword = argument.keyword.value if argument.keyword is not None else None
            name = keyword if keyword is not None else next(positional, None)
            if name is None or name not in scope.parameters:
                continue
            refs = self._lowering.subjects(argument.value)
            if len(refs) == 1:
                for target in self._lowering.objects.resolve(cst.Name(name), scope):
                    pairs.append((target, refs[0]))
        return tuple(pairs)
