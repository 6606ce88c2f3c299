"""What makes an object, and whether that is known to make what it seems to."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...argument import Verdict
from ...program import Ref
from ...syntax.names import dotted, last_name
from ...vocabulary.things import Thing
from ...vocabulary.wrappers import SAME_EACH
from ..scopes.scope import Definition, Scope, Value
from .callables import Callables, Known, quoted
from .classes import Classes
from .resolve import Objects
from .wrapping import given_for, gives_back_each, wrapped

Made = Ref | Known
"""Another object that is asked about in its place, or an answer with its reason."""
_MAX_DEPTH = 6


class Constructors:
    """Follows the values of names to what constructs them."""

    def __init__(self, objects: Objects, classes: Classes, callables: Callables) -> None:
        self._objects = objects
        self._classes = classes
        self._callables = callables

    def makes(self, value: Value, thing: Thing) -> list[tuple[Made, ...]]:
        """All that one value of a name may be, each with its parts; empty if it is nothing."""
        if value.iterated:
            refs = self._objects.elements(value.expression, value.index, value.scope)
            return [refs or (_unread(value.expression),)]
        return list(self._made(value.expression, value.index, value.scope, thing, 0))

    def foreign(self, value: Value) -> str | None:
        """The class or function that is not torch's and that makes a value; None if there is none.

        Libraries and projects have tensors of their own, and their own ways to clear them.
        """
        if value.iterated or not isinstance(value.expression, cst.Call):
            return None
        name = dotted(value.expression.func) or ""
        owner = self._classes.class_named(name, value.scope)
        if owner is not None:
            bases = self._classes.foreign_bases(owner)
            return None if any(base.startswith("torch.") for base in bases) else name
        full = value.scope.imports.full(name)
        return None if full is None or full.startswith("torch.") else full

    def annotated(self, annotation: Value, thing: Thing) -> Known | None:
        """What an annotation says of an object; None if nothing."""
        return self._callables.annotated(annotation.expression, annotation.scope, thing)

    def _made(
        self,
        node: cst.BaseExpression,
        index: tuple[int, ...],
        scope: Scope,
        thing: Thing,
        depth: int,
    ) -> Iterator[tuple[Made, ...]]:
        if depth > _MAX_DEPTH:
            yield (_unread(node),)
            return
        match node:
            case cst.Name(value="None"):
                return
            case cst.IfExp(body=first, orelse=second):
                yield from self._made(first, index, scope, thing, depth + 1)
                yield from self._made(second, index, scope, thing, depth + 1)
            case cst.BooleanOperation(left=first, right=second):
                yield from self._made(first, index, scope, thing, depth + 1)
                yield from self._made(second, index, scope, thing, depth + 1)
            case cst.Call():
                yield from self._called(node, index, scope, thing, depth)
            case _:
                members = _members(node)
                parts = [self._made(member, (), scope, thing, depth + 1) for member in members]
                if members:
                    yield tuple(part for made in parts for each in made for part in each)
                else:
                    yield self._objects.subjects(node, scope) or (_unread(node),)

    def _called(
        self, call: cst.Call, index: tuple[int, ...], scope: Scope, thing: Thing, depth: int
    ) -> Iterator[tuple[Made, ...]]:
        if thing is Thing.SCALER and _is_off(call, scope):
            yield ((Verdict.NO, f"'{quoted(call.func)}' is given enabled=False"),)
            return
        inner = self._passed_through(call, index) or _of_the_same_class(call)
        if inner is not None:
            yield from self._made(inner, (), scope, thing, depth + 1)
            return
        functions = self._functions(call.func, scope, depth)
        for definition in functions or ():
            yield from self._returned(definition, index, thing, depth)
        if functions:
            return
        if not index or self._objects.subjects(call, scope):
            refs = self._objects.subjects(call, scope)
            if refs:
                yield refs
            else:
                for made in self._callables.make(call.func, scope, thing, depth):
                    yield (made,)
            return
        yield (_unread(call.func),)

    def _passed_through(self, call: cst.Call, index: tuple[int, ...]) -> cst.BaseExpression | None:
        """The argument that a wrapper gives back, such as `accelerator.prepare(net, opt)`."""
        if not index:
            return wrapped(call)
        is_passed = last_name(call.func) in SAME_EACH | {"initialize"} and gives_back_each(call)
        return given_for(call, index[0]) if is_passed else None

    def _functions(self, func: cst.BaseExpression, scope: Scope, depth: int) -> list[Definition]:
        """The functions in view that a call may run; none where it may run something else."""
        own = self._function(func, scope)
        if own is not None or depth > _MAX_DEPTH:
            return [own] if own is not None else []
        match func:
            case cst.IfExp(body=one, orelse=other) | cst.BooleanOperation(left=one, right=other):
                chosen = [(one, scope), (other, scope)]
            case cst.Name():
                values = self._callables.values(func, scope)
                chosen = [(v.expression, v.scope) for v in values if not (v.index or v.iterated)]
                if len(chosen) < len(values):
                    return []
            case _:
                return []
        found = [self._functions(node, home, depth + 1) for node, home in chosen]
        return [each for functions in found for each in functions] if all(found) else []

    def _function(self, func: cst.BaseExpression, scope: Scope) -> Definition | None:
        match func:
            case cst.Name(value=name):
                home = scope.home(name)
                return home.functions.get(name) if home is not None else None
            case cst.Attribute(value=receiver, attr=cst.Name(value=name)):
                spelt = dotted(func) or ""
                home = scope.home(spelt)
                if home is not None and spelt in home.functions:
                    return home.functions[spelt]
                owner = self._classes.class_of(receiver, scope)
                return self._classes.method(owner, name) if owner is not None else None
        return None

    def _returned(
        self, definition: Definition, index: tuple[int, ...], thing: Thing, depth: int
    ) -> Iterator[tuple[Made, ...]]:
        """What a function in view gives back."""
        for returned in definition.nodes(cst.Return):
            value = returned.value
            if value is None:
                continue
            rest = index
            if index and isinstance(value, cst.Tuple) and index[0] < len(value.elements):
                value, rest = value.elements[index[0]].value, index[1:]
            yield from self._made(value, rest, definition.scope, thing, depth + 1)


def _members(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What a collection consists of, where it is spelt out."""
    match node:
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            return [element.value for element in elements]
        case cst.Dict(elements=pairs):
            return [pair.value for pair in pairs]
        case cst.ListComp(elt=inner) | cst.GeneratorExp(elt=inner) | cst.DictComp(value=inner):
            return [inner]
    return []


def _of_the_same_class(call: cst.Call) -> cst.BaseExpression | None:
    """`optimizer` of `type(optimizer)(net.parameters())`: what is made is what that is."""
    match call.func:
        case cst.Call(func=cst.Name(value="type"), args=[cst.Arg(value=one)]):
            return one
        case cst.Attribute(value=one, attr=cst.Name(value="__class__")):
            return one
    return None


def _is_off(call: cst.Call, scope: Scope) -> bool:
    """`GradScaler(enabled=False)`, which scales nothing."""
    for argument in call.args:
        if argument.keyword is not None and argument.keyword.value == "enabled":
            value = (
                scope.only_value(argument.value.value)
                if isinstance(argument.value, cst.Name)
                else None
            )
            node = value.expression if value is not None else argument.value
            return isinstance(node, cst.Name) and node.value == "False"
    return False


def _unread(node: cst.BaseExpression) -> Made:
    return Verdict.NOT_KNOWN, f"what '{quoted(node)}' gives is not known"
