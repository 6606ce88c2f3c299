"""What makes an object, and whether that is known to make what it seems to."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...argument import Verdict
from ...program import Ref
from ...syntax.names import code_of, dotted, last_name
from ...vocabulary import evidence
from ...vocabulary.things import Thing
from ...vocabulary.wrappers import SAME_EACH
from ..scopes.scope import ClassInfo, Definition, FileIndex, Scope, Value
from .classes import Classes
from .makers import Makers
from .resolve import Objects
from .wrapping import wrapped

Made = Ref | tuple[Verdict, str]
"""Another object that is asked about in its place, or an answer with its reason."""
_MAX_DEPTH = 6
_LONGEST = 40
"""Characters of an expression that a reason quotes."""


class Constructors:
    """Follows the values of names to what constructs them."""

    def __init__(
        self, index: FileIndex, objects: Objects, classes: Classes, makers: Makers
    ) -> None:
        self._objects = objects
        self._classes = classes
        self._makers = makers
        self._filled = {
            target.value.value
            for target, _, _ in index.attributes
            if isinstance(target, cst.Subscript) and isinstance(target.value, cst.Name)
        }
        """Names of collections that get members after they were made."""

    def makes(self, value: Value, thing: Thing) -> list[Made]:
        """All that one value of a name may be; empty if it is nothing, such as None."""
        if value.iterated:
            refs = self._objects.elements(value.expression, value.index, value.scope)
            return list(refs) or [_unread(value.expression)]
        return list(self._made(value.expression, value.index, value.scope, thing, 0))

    def _made(
        self,
        node: cst.BaseExpression,
        index: tuple[int, ...],
        scope: Scope,
        thing: Thing,
        depth: int,
    ) -> Iterator[Made]:
        if depth > _MAX_DEPTH:
            yield _unread(node)
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
                for member in members:
                    yield from self._made(member, (), scope, thing, depth + 1)
                if not members:
                    yield from self._objects.subjects(node, scope) or [_unread(node)]

    def _called(
        self, call: cst.Call, index: tuple[int, ...], scope: Scope, thing: Thing, depth: int
    ) -> Iterator[Made]:
        inner = self._passed_through(call, index)
        if inner is not None:
            yield from self._made(inner, (), scope, thing, depth + 1)
            return
        definition = self._function(call.func, scope)
        if definition is not None:
            yield from self._returned(definition, index, thing, depth)
            return
        if not index or self._objects.subjects(call, scope):
            refs = self._objects.subjects(call, scope)
            yield from refs or self._constructed(call.func, scope, thing, depth)
            return
        yield _unread(call.func)

    def _passed_through(self, call: cst.Call, index: tuple[int, ...]) -> cst.BaseExpression | None:
        """The argument that a wrapper gives back, such as `accelerator.prepare(net, opt)`."""
        if not index:
            return wrapped(call)
        positional = [a.value for a in call.args if a.keyword is None and a.star == ""]
        if last_name(call.func) in SAME_EACH | {"initialize"} and index[0] < len(positional):
            return positional[index[0]]
        return None

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
    ) -> Iterator[Made]:
        """What a function in view gives back."""
        for returned in definition.nodes(cst.Return):
            value = returned.value
            if value is None:
                continue
            rest = index
            if index and isinstance(value, cst.Tuple) and index[0] < len(value.elements):
                value, rest = value.elements[index[0]].value, index[1:]
            yield from self._made(value, rest, definition.scope, thing, depth + 1)

    def _constructed(
        self, func: cst.BaseExpression, scope: Scope, thing: Thing, depth: int
    ) -> Iterator[Made]:
        """What a class, or an expression that chooses one, makes."""
        match func:
            case cst.Call(func=cst.Name(value="getattr"), args=[cst.Arg(value=module), *_]):
                yield self._member(dotted(module) or "", scope, thing)
            case cst.Subscript(value=cst.Attribute(value=module, attr=cst.Name(value="__dict__"))):
                yield self._member(dotted(module) or "", scope, thing)
            case cst.Subscript(value=cst.Dict(elements=pairs)):
                for pair in pairs:
                    yield from self._constructed(pair.value, scope, thing, depth + 1)
            case cst.Subscript(value=cst.Name(value=name)):
                yield from self._chosen(name, scope, thing, depth, from_dict=True)
            case cst.IfExp(body=body, orelse=orelse):
                yield from self._constructed(body, scope, thing, depth + 1)
                yield from self._constructed(orelse, scope, thing, depth + 1)
            case cst.Name() | cst.Attribute():
                yield from self._named(func, scope, thing, depth)
            case _:
                yield _unread(func)

    def _named(
        self, func: cst.Name | cst.Attribute, scope: Scope, thing: Thing, depth: int
    ) -> Iterator[Made]:
        name = dotted(func) or ""
        owner = self._classes.class_named(name, scope)
        if owner is not None:
            yield self._instance(owner, name, scope, thing)
        elif scope.home(name.partition(".")[0]) is None:
            yield self._imported(name, scope, thing)
        else:
            yield from self._chosen(name, scope, thing, depth)

    def _chosen(
        self, name: str, scope: Scope, thing: Thing, depth: int, *, from_dict: bool = False
    ) -> Iterator[Made]:
        """A name in view that stands for a class, or for a dict of them."""
        values = scope.values(name) if depth < _MAX_DEPTH else []
        if not values:
            yield Verdict.NOT_KNOWN, f"what '{name}' makes is not in view"
        for value in values:
            expression = value.expression if value is not None and not value.index else None
            if expression is None or value is None or value.iterated:
                yield Verdict.NOT_KNOWN, f"what '{name}' makes is not in view"
            elif from_dict and isinstance(expression, cst.Dict):
                if name in self._filled or not expression.elements:
                    yield Verdict.NOT_KNOWN, f"all that is put into '{name}' is not in view"
                for pair in expression.elements:
                    yield from self._constructed(pair.value, value.scope, thing, depth + 1)
            else:
                yield from self._constructed(expression, value.scope, thing, depth + 1)

    def _member(self, module: str, scope: Scope, thing: Thing) -> Made:
        """`getattr(torch.optim, name)(…)`."""
        full = scope.imports.full(module) or module
        if thing is Thing.OPTIMIZER and full == "torch.optim":
            return Verdict.YES, "torch.optim makes it"
        return Verdict.NOT_KNOWN, f"which member of {full} makes it is not known"

    def _instance(self, owner: ClassInfo, name: str, scope: Scope, thing: Thing) -> Made:
        if scope.imports.full(name) is not None:
            return Verdict.NOT_KNOWN, f"'{name}' is imported on one path, a class here on another"
        unread = [
            base for base in self._classes.unread_bases(owner) if evidence.by_library(base) is None
        ]
        if unread:
            return Verdict.NOT_KNOWN, f"the base {unread[0]} of class {name} is not read"
        if self._makers.instance_of(owner) is thing:
            return Verdict.YES, f"class {name} is read"
        return Verdict.NOT_KNOWN, f"class {name} is no {thing.value} of torch's"

    def _imported(self, name: str, scope: Scope, thing: Thing) -> Made:
        found = scope.imports.every(name)
        if not found and evidence.by_class(name) is thing:
            return Verdict.YES, f"nothing in view binds '{name}', a name of torch's"
        for full in found or [name]:
            if evidence.by_library(full) is not thing:
                return Verdict.NOT_KNOWN, f"{full} is not read"
        return Verdict.YES, f"{found[0]} makes it"


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


def _unread(node: cst.BaseExpression) -> Made:
    text = " ".join(code_of(node).split())
    shown = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
    return Verdict.NOT_KNOWN, f"what '{shown}' gives is not known"
