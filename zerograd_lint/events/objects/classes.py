"""The classes of a file: whose instance an expression is, and which method a name means."""

from __future__ import annotations

import builtins

import libcst as cst

from ...program import Ref
from ...syntax.names import dotted
from ...vocabulary.frameworks import KNOWN_BASES
from ..scopes.inheritance import class_named, lineage
from ..scopes.scope import ClassInfo, Definition, FileIndex, Scope, Value
from .wrapping import wrapped

_MAX_DEPTH = 12


class Classes:
    """Looks up the classes, methods and attributes of one file."""

    def __init__(self, index: FileIndex) -> None:
        self._by_name = {owner.name: owner for owner in index.classes}
        self._instances: dict[tuple[Scope, str], ClassInfo | None] = {}
        self._attributes: dict[tuple[ClassInfo, str], list[Value]] = {}
        self._elements: dict[tuple[ClassInfo, str], list[Value]] = {}
        """What is put into the lists and dicts that attributes hold."""
        for target, value, scope in index.attributes:
            if value is None or scope.within is None:
                continue
            match target:
                case cst.Attribute(value=cst.Attribute()):
                    pass  # `self.schedule.optimizer = …` is an attribute of the schedule
                case cst.Attribute(attr=cst.Name(value=name)):
                    self._attributes.setdefault((scope.within, name), []).append(value)
                case cst.Subscript(value=cst.Attribute(attr=cst.Name(value=name))):
                    self._elements.setdefault((scope.within, name), []).append(value)

    def class_named(self, name: str, scope: Scope) -> ClassInfo | None:
        """The class in view that a name means in a scope."""
        return class_named(name, scope)

    def of_unnamed(self, ref: Ref) -> ClassInfo | None:
        """The class of an instance that no name is given to: `Trainer().fit()`."""
        return self._by_name.get(ref.name[1:-1]) if ref.name.startswith("<") else None

    def class_of(self, node: cst.BaseExpression, scope: Scope, depth: int = 0) -> ClassInfo | None:
        """The class of the file an expression is an instance of."""
        name = dotted(node)
        if name is None:
            return self._class_of(node, scope, depth)
        key = (scope, name)
        if key not in self._instances:
            self._instances[key] = None
            self._instances[key] = self._class_of(node, scope, depth)
        return self._instances[key]

    def _class_of(self, node: cst.BaseExpression, scope: Scope, depth: int) -> ClassInfo | None:
        if depth > _MAX_DEPTH:
            return None
        match node:
            case cst.Name(value=name):
                return self._class_of_name(name, scope, depth)
            case cst.Attribute(value=base, attr=cst.Name(value=attribute)):
                holder = self.class_of(base, scope, depth + 1)
                if holder is not None:
                    return self._attribute_class(holder, attribute, depth)
            case cst.Call(func=func):
                inner = wrapped(node)
                if inner is not None:
                    return self.class_of(inner, scope, depth + 1)
                called = dotted(func)
                return self.class_named(called, scope) if called is not None else None
        return None

    def _class_of_name(self, name: str, scope: Scope, depth: int) -> ClassInfo | None:
        home = scope.home(name)
        if home is None:
            return None
        if name == home.instance_name:
            return home.within
        parameter = home.parameters.get(name)
        if parameter is not None and parameter.annotation is not None:
            annotation = dotted(parameter.annotation.annotation)
            if annotation is not None:
                return self.class_named(annotation, home)
        if parameter is not None and not home.assigned.get(name):
            return self._class_given(name, home, depth)
        for value in home.assigned.get(name, ()):
            if value is not None and not value.iterated and not value.index:
                found = self.class_of(value.expression, value.scope, depth + 1)
                if found is not None:
                    return found
        return None

    def _class_given(self, name: str, home: Scope, depth: int) -> ClassInfo | None:
        """The class of an argument, where all calls in view give instances of one class."""
        given = home.arguments(Ref(home.id, name)) if home.arguments is not None else []
        found = {self.class_of(value.expression, value.scope, depth + 1) for value in given}
        return found.pop() if len(found) == 1 else None

    def forget_instances(self) -> None:
        """Ask anew whose instances names are, once more is known about arguments."""
        self._instances.clear()

    def _attribute_class(self, holder: ClassInfo, attribute: str, depth: int) -> ClassInfo | None:
        for value in self._attributes.get((holder, attribute), ()):
            if not value.index:
                found = self.class_of(value.expression, value.scope, depth + 1)
                if found is not None:
                    return found
        return None

    def held_by(self, owner: ClassInfo, attribute: str) -> list[Value]:
        """What the methods of a class and its bases put into an attribute."""
        return [
            value
            for candidate in lineage(owner)
            for value in self._attributes.get((candidate, attribute), ())
        ]

    def put_into(self, owner: ClassInfo, attribute: str) -> list[Value]:
        """What the methods of a class and its bases put into a list or dict of its own."""
        return [
            value
            for candidate in lineage(owner)
            for value in self._elements.get((candidate, attribute), ())
        ]

    def method(self, owner: ClassInfo, name: str) -> Definition | None:
        """A method by name, its own or of a base in view."""
        for candidate in lineage(owner):
            if name in candidate.methods:
                return candidate.methods[name]
        return None

    def method_above(self, scope: Scope, name: str) -> Definition | None:
        """What `super().name` means in a method."""
        if scope.within is None or scope.defined_in is None:
            return None
        bases = lineage(scope.within)
        for base in bases[bases.index(scope.defined_in) + 1 :]:
            found = scope.within.above.get((base, name))
            if found is not None:
                return found
        return None

    def unread_bases(self, owner: ClassInfo) -> list[str]:
        """The base classes out of view, whose code may call the methods of the class."""
        return [
            base
            for base in self.foreign_bases(owner)
            if not base.startswith(KNOWN_BASES) and not hasattr(builtins, base)
        ]

    def foreign_bases(self, owner: ClassInfo) -> list[str]:
        """Full names of the bases that come from elsewhere."""
        return [
            candidate.scope.imports.full(base) or base
            for candidate in lineage(owner)
            for base in candidate.bases
            if self.class_named(base, candidate.scope) is None
        ]
