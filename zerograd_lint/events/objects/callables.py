"""What calling a name makes: a class of torch's, of a library, of the project, or from outside."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...argument import Verdict
from ...program import Ref
from ...syntax.literals import is_none
from ...syntax.names import code_of, dotted
from ...vocabulary import evidence
from ...vocabulary.things import Thing
from ..scopes.scope import ClassInfo, FileIndex, Scope, Value
from .annotations import classes_in
from .classes import Classes
from .given import Given
from .inventory import Inventory
from .makers import Makers
from .resolve import Objects

Known = tuple[Verdict, str]
"""An answer, with its reason."""
_MAX_DEPTH = 6
_LONGEST = 40
"""Characters of an expression that a reason quotes."""


class Callables:
    """Answers for the classes and factories that the calls of one file name."""

    def __init__(
        self,
        index: FileIndex,
        objects: Objects,
        classes: Classes,
        makers: Makers,
        inventory: Inventory,
        given: Given,
    ) -> None:
        self._objects = objects
        self._classes = classes
        self._makers = makers
        self._inventory = inventory
        self._given = given
        self._filled = {
            target.value.value
            for target, _, _ in index.attributes
            if isinstance(target, cst.Subscript) and isinstance(target.value, cst.Name)
        }
        """Names of collections that get members after they were made."""

    def make(
        self, func: cst.BaseExpression, scope: Scope, thing: Thing, depth: int
    ) -> Iterator[Known]:
        """All that a call of a class, or of an expression that chooses one, may make."""
        match func:
            case cst.Call():
                yield from self._given_back(func, scope, thing, depth)
            case cst.Subscript(value=cst.Attribute(value=module, attr=cst.Name(value="__dict__"))):
                yield self._member(dotted(module) or "", scope, thing)
            case cst.Subscript(value=table):
                yield from self._from_table(table, scope, thing, depth)
            case cst.IfExp(body=one, orelse=other) | cst.BooleanOperation(left=one, right=other):
                yield from self.make(one, scope, thing, depth + 1)
                yield from self.make(other, scope, thing, depth + 1)
            case cst.Name() | cst.Attribute():
                yield from self._named(func, scope, thing, depth)
            case cst.Lambda(body=cst.Call(func=inner)):
                yield from self.make(inner, scope, thing, depth + 1)
            case _:
                yield Verdict.NOT_KNOWN, f"what '{quoted(func)}' makes is not in view"

    def annotated(self, annotation: cst.BaseExpression, scope: Scope, thing: Thing) -> Known | None:
        """What an annotation says: one of the classes it names is known, or none; None if nothing.

        Of alternatives one is enough: `Optimizer | FusedOptimizer`.
        """
        named = classes_in(annotation, scope)
        answers = [known for node in named for known in self.make(node, scope, thing, 0)]
        if any(verdict is Verdict.YES for verdict, _ in answers):
            return Verdict.YES, f"it is annotated as '{quoted(annotation)}'"
        return answers[0] if answers else None

    def _given_back(
        self, call: cst.Call, scope: Scope, thing: Thing, depth: int
    ) -> Iterator[Known]:
        """What a class that a call gives back makes: `getattr(torch.optim, name)(…)`."""
        match call:
            case cst.Call(func=cst.Name(value="getattr"), args=[cst.Arg(value=module), *_]):
                for full in self._modules(module, scope):
                    yield self._member(full, scope, thing)
            case cst.Call(func=cst.Name(value="eval"), args=[cst.Arg(value=text)]):
                yield self._member(_spelt_before_a_name(text), scope, thing)
            case cst.Call(func=inner, args=[cst.Arg(value=made), *_]) if (
                scope.imports.full(dotted(inner) or "") == "functools.partial"
            ):
                yield from self.make(made, scope, thing, depth + 1)
            case cst.Call(func=inner, args=[_, cst.Arg(value=made)]) if (
                scope.imports.full(dotted(inner) or "") == "typing.cast"
            ):
                yield from self.make(made, scope, thing, depth + 1)
            case cst.Call(func=cst.Attribute(value=table, attr=cst.Name(value="get"))):
                yield from self._from_table(table, scope, thing, depth)
            case _:
                yield from self._returned(call, scope, thing, depth)

    def _returned(self, call: cst.Call, scope: Scope, thing: Thing, depth: int) -> Iterator[Known]:
        """What the classes that a function in view gives back make."""
        called = self._given.called(call, scope) if depth < _MAX_DEPTH else None
        values = []
        if called is not None and not called.makes:
            values = [node.value for node in called.definition.nodes(cst.Return) if node.value]
            scope = called.definition.scope
        for value in values:
            yield from self.make(value, scope, thing, depth + 1)
        if not values:
            yield Verdict.NOT_KNOWN, f"what '{quoted(call)}' makes is not in view"

    def _from_table(
        self, table: cst.BaseExpression, scope: Scope, thing: Thing, depth: int
    ) -> Iterator[Known]:
        """What the members of a dict make: `{"sgd": SGD, "adam": Adam}[name](…)`."""
        match table:
            case cst.Dict(elements=pairs):
                for pair in pairs:
                    yield from self.make(pair.value, scope, thing, depth + 1)
            case cst.Name() | cst.Attribute():
                yield from self._chosen(table, scope, thing, depth, from_dict=True)
            case _:
                yield Verdict.NOT_KNOWN, f"what is in '{quoted(table)}' is not in view"

    def _named(
        self, func: cst.Name | cst.Attribute, scope: Scope, thing: Thing, depth: int
    ) -> Iterator[Known]:
        name = dotted(func) or ""
        owner = self._classes.class_named(name, scope)
        if owner is not None:
            yield self._instance(owner, name, scope, thing)
        elif self._is_import(name.partition(".")[0], scope):
            yield self._imported(name, scope, thing)
        else:
            yield from self._chosen(func, scope, thing, depth)

    def _is_import(self, name: str, scope: Scope) -> bool:
        """Whether nothing in view binds a name but imports, and None where these fail."""
        home = scope.home(name)
        return home is None or (
            scope.imports.full(name) is not None
            and home.parent is None
            and all(v is not None and is_none(v.expression) for v in home.assigned.get(name, ()))
            and name in home.assigned
        )

    def _chosen(
        self,
        node: cst.Name | cst.Attribute,
        scope: Scope,
        thing: Thing,
        depth: int,
        *,
        from_dict: bool = False,
    ) -> Iterator[Known]:
        """A name in view that stands for a class, or for a dict of them."""
        name = dotted(node) or ""
        values = self.values(node, scope) if depth < _MAX_DEPTH else []
        for value in values:
            expression = value.expression if not value.index and not value.iterated else None
            if expression is None:
                yield Verdict.NOT_KNOWN, f"what '{name}' makes is not in view"
            elif from_dict and isinstance(expression, cst.Dict):
                if name in self._filled or not expression.elements:
                    yield Verdict.NOT_KNOWN, f"all that is put into '{name}' is not in view"
                for pair in expression.elements:
                    yield from self.make(pair.value, value.scope, thing, depth + 1)
            else:
                yield from self.make(expression, value.scope, thing, depth + 1)
        if not values:
            member = self._of_kept_module(node, scope)
            yield self._known(member, thing) if member else self._from_outside(name, scope, thing)

    def _of_kept_module(self, node: cst.Name | cst.Attribute, scope: Scope) -> str | None:
        """`self.torch.optim.SGD`, after `self.torch = torch`, by its full name.

        So is `torch.optim.SGD` where all callers in view give torch to the function.
        """
        if not isinstance(node, cst.Attribute):
            return None
        if not isinstance(node.value, cst.Name | cst.Attribute):
            return None
        values = [v for v in self.values(node.value, scope) if not is_none(v.expression)]
        modules = {self._module(value) for value in values}
        inner = modules.pop() if len(modules) == 1 else self._of_kept_module(node.value, scope)
        return f"{inner}.{node.attr.value}" if inner else None

    def _module(self, value: Value) -> str | None:
        """The module, or the member of one, that a value is by its import alone."""
        name = dotted(value.expression) if not value.index and not value.iterated else None
        if name is None or not self._is_import(name.partition(".")[0], value.scope):
            return None
        found = value.scope.imports.every(name)
        return found[0] if len(set(found)) == 1 else None

    def values(self, node: cst.Name | cst.Attribute, scope: Scope) -> list[Value]:
        """What a name or an attribute is ever assigned or given; empty if some is not known."""
        if isinstance(node, cst.Attribute):
            refs = self._objects.resolve(node, scope)
            return [value for ref in refs for value in self._inventory.assigned.get(ref, ())]
        name = node.value
        found: list[Value] = []
        for value in scope.values(name):
            if value is None:
                return []
            if not _is_made_by(name, value):
                found.append(value)
        home = scope.home(name)
        if home is not None and name in home.parameters:
            found += self._given.to(Ref(home.id, name))
            default = home.parameters[name].default
            if default is not None and not is_none(default):
                found.append(Value(default, home))
        return found

    def _from_outside(self, name: str, scope: Scope, thing: Thing) -> Known:
        """A parameter whose annotation or name says what it makes."""
        home = scope.home(name)
        parameter = home.parameters.get(name) if home is not None else None
        if parameter is None:
            return Verdict.NOT_KNOWN, f"what '{name}' makes is not in view"
        annotation = parameter.annotation
        known = annotation and self.annotated(annotation.annotation, scope, thing)
        if known:
            return known
        if evidence.makes_by_name(name) is thing:
            return Verdict.YES, f"'{name}' comes from outside, named as what makes one"
        return Verdict.NOT_KNOWN, f"what '{name}' makes is not in view"

    def _modules(self, node: cst.BaseExpression, scope: Scope) -> list[str]:
        """The names of modules that an expression may stand for: an argument stands for many."""
        if isinstance(node, cst.Name):
            names = [dotted(value.expression) for value in self.values(node, scope)]
            if names:
                return [name or "" for name in names]
        return [dotted(node) or ""]

    def _member(self, module: str, scope: Scope, thing: Thing) -> Known:
        """`getattr(torch.optim, name)(…)`."""
        full = scope.imports.full(module) or module
        if thing is Thing.OPTIMIZER and full == "torch.optim":
            return Verdict.YES, "torch.optim makes it"
        return Verdict.NOT_KNOWN, f"which member of {full} makes it is not known"

    def _instance(self, owner: ClassInfo, name: str, scope: Scope, thing: Thing) -> Known:
        if scope.imports.full(name) is not None:
            return Verdict.NOT_KNOWN, f"'{name}' is imported on one path, a class here on another"
        unread = [
            base for base in self._classes.unread_bases(owner) if evidence.by_library(base) is None
        ]
        if unread:
            return Verdict.NOT_KNOWN, f"the base {unread[0]} of class {name} is not read"
        if self._makers.clears_itself(owner):
            return Verdict.NO, f"class {name} clears in its own step"
        if self._makers.instance_of(owner) is thing:
            return Verdict.YES, f"class {name} is read"
        return Verdict.NOT_KNOWN, f"class {name} is no {thing.value} of torch's"

    def _imported(self, name: str, scope: Scope, thing: Thing) -> Known:
        found = scope.imports.every(name)
        if not found and evidence.by_class(name) is thing:
            return Verdict.YES, f"nothing in view binds '{name}', a name of torch's"
        answers = [self._known(full, thing) for full in found or [name]]
        return next((answer for answer in answers if answer[0] is not Verdict.YES), answers[0])

    def _known(self, full_name: str, thing: Thing) -> Known:
        """What a class of a library makes."""
        if evidence.by_library(full_name) is thing:
            return Verdict.YES, f"{full_name} makes it"
        return Verdict.NOT_KNOWN, f"{full_name} is not read"


def _is_made_by(name: str, value: Value) -> bool:
    """`optimizer = optimizer(net.parameters())`: what is called here is not what it gives."""
    called = value.expression.func if isinstance(value.expression, cst.Call) else None
    return isinstance(called, cst.Name) and called.value == name


def _spelt_before_a_name(node: cst.BaseExpression) -> str:
    """`torch.optim` of `f"torch.optim.{name}"`."""
    match node:
        case cst.FormattedString(parts=[cst.FormattedStringText(value=text), *_]):
            return text.rpartition(".")[0]
    return ""


def quoted(node: cst.BaseExpression) -> str:
    """An expression as a reason quotes it."""
    text = " ".join(code_of(node).split())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
