"""What the calls in view give to the parameters of a function."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from ...program import Ref
from ...syntax.names import dotted
from ..scopes.scope import Definition, FileIndex, Scope, Value
from .classes import Classes


@dataclass(frozen=True, slots=True)
class Called:
    """A function in view, as a call runs it."""

    definition: Definition
    bound: bool = False
    """Its first parameter is an instance."""
    makes: bool = False
    """It is run to make an instance."""

    def arguments(self, call: cst.Call) -> Iterator[tuple[str, cst.BaseExpression]]:
        """The arguments of a call by the names of parameters, up to the first that is a list."""
        parameters = self.definition.scope.parameters
        positional = iter(list(parameters)[1 if self.bound else 0 :])
        for argument in call.args:
            if argument.star:
                return
            keyword = argument.keyword.value if argument.keyword is not None else None
            name = keyword if keyword is not None else next(positional, None)
            if name is not None and name in parameters:
                yield name, argument.value


class Given:
    """The arguments of one file's functions, by parameter."""

    def __init__(self, index: FileIndex, classes: Classes) -> None:
        self._classes = classes
        self._definitions = {d.scope.id: d for d in index.definitions}
        self._index = index
        self._values: dict[Ref, list[Value]] | None = None

    def is_parameter(self, ref: Ref) -> bool:
        """Whether an object is what a function is given."""
        definition = self._definitions.get(ref.scope)
        return definition is not None and not ref.path and ref.name in definition.scope.parameters

    def to(self, parameter: Ref) -> list[Value]:
        """The arguments for a parameter, as the calls in view spell them."""
        if not self.is_parameter(parameter):
            return []
        if self._values is None:
            # Whose method a call runs may depend on arguments: on the way, none are known.
            self._values = {}
            values: dict[Ref, list[Value]] = {}
            for caller in self._index.definitions:
                for call in caller.nodes(cst.Call):
                    self._learn(call, caller.scope, values)
            self._values = values
            self._classes.forget_instances()
        return self._values.get(parameter, [])

    def _learn(self, call: cst.Call, scope: Scope, values: dict[Ref, list[Value]]) -> None:
        called = self.called(call, scope)
        if called is not None:
            for name, argument in called.arguments(call):
                value = Value(argument, scope)
                values.setdefault(Ref(called.definition.scope.id, name), []).append(value)

    def called(self, call: cst.Call, scope: Scope) -> Called | None:
        """The function in view that a call runs."""
        return self._named(call.func, scope)

    def _named(self, func: cst.BaseExpression, scope: Scope) -> Called | None:
        match func:
            case cst.Name(value=name):
                home = scope.home(name)
                if home is not None and name in home.functions:
                    return Called(home.functions[name])
                linked = scope.only_value(name)
                if linked is not None and linked.scope.module != scope.module:
                    return self._named(linked.expression, linked.scope)
                owner = self._classes.class_named(name, scope)
                start = self._classes.method(owner, "__init__") if owner is not None else None
                return Called(start, bound=True, makes=True) if start is not None else None
            case cst.Attribute(value=receiver, attr=cst.Name(value=name)):
                spelt = dotted(func) or ""
                home = scope.home(spelt)
                if home is not None and spelt in home.functions:
                    return Called(home.functions[spelt])
                owner = self._classes.class_of(receiver, scope)
                method = self._classes.method(owner, name) if owner is not None else None
                if method is not None and dotted(receiver) is not None:
                    return Called(method, bound=not method.static)
        return None
