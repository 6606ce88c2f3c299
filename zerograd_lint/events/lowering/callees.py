"""Which function of the file a call runs, and what its parameters are bound to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import libcst as cst

from ...program import Ref
from ...syntax.names import dotted
from ...vocabulary.things import Thing
from ..objects.numbers import spelling
from ..objects.resolver import Resolver
from ..objects.taken_apart import members
from ..scopes.scope import ClassInfo, Definition, Scope

_TORCH_METHODS = frozenset({"step", "zero_grad", "__init__"})
_KEEPS_FUNCTION = frozenset(
    {"compile", "script", "jit", "partial", "wraps", "no_grad", "checkpoint"}
)
_MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Callee:
    """A function of the file as a call sees it."""

    definition: Definition
    instance: Ref | None = None
    """What `self` is in the callee."""
    supplied: tuple[cst.Arg, ...] = ()
    """Arguments a `partial` has already supplied."""
    bound: tuple[tuple[Ref, Ref], ...] = ()
    """What the parameters of the function around it stand for, if that has made it."""

    @property
    def instance_binding(self) -> tuple[tuple[Ref, Ref], ...]:
        """What `self` stands for in a method, where it is not the instance itself."""
        owner = self.definition.scope.within
        if owner is None or self.instance is None or self.definition.static:
            return ()
        return () if owner.instance == self.instance else ((owner.instance, self.instance),)


class Callees:
    """Finds the functions that calls run."""

    def __init__(
        self,
        resolver: Resolver,
        lambda_definition: Callable[[cst.Lambda, Definition | None], Definition],
    ) -> None:
        self._classes = resolver.classes
        self._objects = resolver.objects
        self._makers = resolver.makers
        self._lambda_definition = lambda_definition

    def find(self, call: cst.Call, target: Ref | None, scope: Scope) -> Callee | None:
        """The function of this file that a call runs; `target` is what its result is given to."""
        name = dotted(call.func)
        owner = self._classes.class_named(name, scope) if name is not None else None
        if owner is not None:
            if self._makers.instance_of(owner) is Thing.OPTIMIZER:
                return None
            start = self._classes.method(owner, "__init__")
            instance = target or _unnamed(owner, scope)
            return Callee(start, instance) if start is not None else None
        return self.referenced(call.func, scope) or self.method_of(call.func, "__call__", scope)

    def method_of(self, node: cst.BaseExpression, name: str, scope: Scope) -> Callee | None:
        """A method that runs without being named: `trainer(batch)` runs `__call__`."""
        owner = self._classes.class_of(node, scope)
        method = self._classes.method(owner, name) if owner is not None else None
        if owner is None or method is None:
            return None
        return Callee(method, self._instance(node, owner, scope))

    def context_methods(
        self, manager: cst.BaseExpression, scope: Scope
    ) -> tuple[Callee, Callee] | None:
        """What a `with` runs before and after its block, if a class that is read says so."""
        owner = self._classes.class_of(manager, scope)
        if owner is None or self._classes.unread_bases(owner):
            return None
        enter = self.method_of(manager, "__enter__", scope)
        leave = self.method_of(manager, "__exit__", scope)
        if enter is None or leave is None:
            return None
        unread = enter.definition.unread_decorator or leave.definition.unread_decorator
        return None if unread else (enter, leave)

    def _instance(self, node: cst.BaseExpression, owner: ClassInfo, scope: Scope) -> Ref:
        refs = self._objects.resolve(node, scope)
        return refs[0] if refs else _unnamed(owner, scope)

    def referenced(self, node: cst.BaseExpression, scope: Scope, depth: int = 0) -> Callee | None:
        """The function an expression names: a def, a lambda, a method, a partial, an alias."""
        if depth > _MAX_DEPTH:
            return None
        match node:
            case cst.Name(value=name):
                home = scope.home(name)
                if home is not None and name in home.functions:
                    return Callee(home.functions[name])
                value = scope.only_value(name)
                if value is not None:
                    return self.referenced(value.expression, value.scope, depth + 1)
            case cst.Attribute(value=receiver, attr=cst.Name(value=method)):
                named = self._of_module(node, scope)
                return named or self._method(receiver, method, scope, depth)
            case cst.Call(func=func, args=[first, *others]):
                last = (dotted(func) or "").rpartition(".")[2]
                if last in _KEEPS_FUNCTION:
                    inner = self.referenced(first.value, scope, depth + 1)
                    if inner is not None and last == "partial":
                        return replace(inner, supplied=tuple(others))
                    return inner
            case cst.Lambda():
                return Callee(self._lambda_definition(node, None))
        return self._made(node, scope, depth) if isinstance(node, cst.Call) else None

    def _made(self, call: cst.Call, scope: Scope, depth: int) -> Callee | None:
        """The function that a function in view defines and gives back: a closure."""
        maker = self.referenced(call.func, scope, depth + 1)
        if maker is None:
            return None
        returned = [node.value for node in maker.definition.nodes(cst.Return)]
        if len(returned) != 1 or not isinstance(returned[0], cst.Name | cst.Lambda):
            return None
        if isinstance(returned[0], cst.Lambda):
            inner: Callee | None = Callee(self._lambda_definition(returned[0], maker.definition))
        else:
            inner = self.referenced(returned[0], maker.definition.scope, depth + 1)
        if inner is None or inner.definition.scope.parent is not maker.definition.scope:
            return None
        return replace(inner, bound=self.binding(maker, call, scope))

    def _of_module(self, node: cst.Attribute, scope: Scope) -> Callee | None:
        """`engine.step` after `import engine`."""
        own = _own_module(node.value, scope)
        if own is not None and node.attr.value in own.functions:
            return Callee(own.functions[node.attr.value])
        name = dotted(node)
        home = scope.home(name) if name is not None else None
        if name is None or home is None or name not in home.functions:
            return None
        return Callee(home.functions[name])

    def _method(
        self, receiver: cst.BaseExpression, method: str, scope: Scope, depth: int
    ) -> Callee | None:
        if isinstance(receiver, cst.Call) and dotted(receiver.func) == "super":
            return self._inherited(method, scope)
        name = dotted(receiver)
        named = self._classes.class_named(name, scope) if name is not None else None
        owner = named or self._classes.class_of(receiver, scope)
        if owner is None:
            return None
        if method in _TORCH_METHODS and self._makers.instance_of(owner) is Thing.OPTIMIZER:
            return None
        definition = self._classes.method(owner, method)
        if definition is None:
            return self._held_function(owner, method, depth)
        if named is not None:
            return Callee(definition)
        return Callee(definition, self._instance(receiver, owner, scope))

    def _inherited(self, method: str, scope: Scope) -> Callee | None:
        above = self._classes.method_above(scope, method)
        if above is None or scope.within is None:
            return None
        return Callee(above, scope.within.instance)

    def _held_function(self, owner: ClassInfo, attribute: str, depth: int) -> Callee | None:
        """A callback kept in an attribute: `self.on_batch = on_batch`."""
        found = self._classes.held_by(owner, attribute)
        if len(found) == 1 and not found[0].index:
            return self.referenced(found[0].expression, found[0].scope, depth + 1)
        return None

    def binding(self, callee: Callee, call: cst.Call, scope: Scope) -> tuple[tuple[Ref, Ref], ...]:
        """What the callee's parameters stand for at this call."""
        inner = callee.definition.scope
        pairs = [*callee.bound, *callee.instance_binding]
        given = dict(arguments(callee, call))
        for name, argument in given.items():
            refs = self._objects.subjects(argument, scope)
            if len(refs) == 1:
                pairs += [(target, refs[0]) for target in self._objects.resolve_name(name, inner)]
            whole = Ref(inner.id, name)
            if self._objects.taken_apart.is_taken_apart(whole):
                pairs += self._parts(whole, argument, scope)
        if any(argument.star for argument in call.args) and scope.stands_for is callee.definition:
            # A decorator hands on all that it is given.
            rest = [name for name in _positional(callee) if name not in given]
            pairs += [(Ref(inner.id, name), Ref(scope.id, name)) for name in rest]
        return tuple(pairs)

    def _parts(
        self, whole: Ref, argument: cst.BaseExpression, scope: Scope
    ) -> Iterator[tuple[Ref, Ref]]:
        """What the parts of a parameter stand for that is given `[actor, critic]`."""
        for position, member in enumerate(members(argument)):
            refs = self._objects.subjects(member, scope)
            if len(refs) == 1:
                yield whole.child(f"[{position}]"), refs[0]


def arguments(callee: Callee, call: cst.Call) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The parameters that a call gives a value to, with that value, up to the first `*`."""
    parameters = callee.definition.scope.parameters
    positional = iter(_positional(callee))
    for argument in (*callee.supplied, *call.args):
        if argument.star:
            return
        name = next(positional, None) if argument.keyword is None else argument.keyword.value
        if name is not None and name in parameters:
            if parameters[name].star and not _is_last(argument, call):
                return  # `zero_all(first, second)`: it stands for several
            yield name, argument.value


def _is_last(argument: cst.Arg, call: cst.Call) -> bool:
    """Whether nothing else is given by position after it."""
    return [a for a in call.args if a.keyword is None][-1:] == [argument]


def _positional(callee: Callee) -> list[str]:
    """The parameters of a callee, without the instance that a method is called on."""
    names = list(callee.definition.scope.parameters)
    owner = callee.definition.scope.within
    bound = callee.instance is not None and owner is not None and not callee.definition.static
    return names[1:] if bound else names


def _unnamed(owner: ClassInfo, scope: Scope) -> Ref:
    """An instance that no name is given to."""
    return Ref(scope.id, f"<{owner.name}>")


def _own_module(node: cst.BaseExpression, scope: Scope) -> Scope | None:
    """The module itself, where a name was given to it: `this = sys.modules[__name__]`."""
    value = scope.only_value(node.value) if isinstance(node, cst.Name) else None
    if value is None or not isinstance(value.expression, cst.Subscript):
        return None
    if spelling(value.expression) != "sys.modules[__name__]":
        return None
    found = value.scope
    while found.parent is not None:
        found = found.parent
    return found
