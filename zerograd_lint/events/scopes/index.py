"""Who is called what: functions, classes and assignments of a file, scope by scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import libcst as cst

from ...program import Function, Ref
from ...syntax.names import dotted
from ...syntax.walk import inside
from .imports import Imports


@dataclass(slots=True)
class Value:
    """Something a name is bound to: an expression, an element of it, or a part of that."""

    expression: cst.BaseExpression
    scope: Scope
    iterated: bool = False
    index: tuple[int, ...] = ()


@dataclass(slots=True, eq=False)
class Definition:
    """A function of the file, its scope, and the program it becomes."""

    node: cst.FunctionDef | cst.Lambda | cst.Module
    scope: Scope
    function: Function
    static: bool = False
    _parts: list[cst.CSTNode] | None = None

    @property
    def parts(self) -> list[cst.CSTNode]:
        """All nodes inside it, without those of functions defined in it; gathered once."""
        if self._parts is None:
            self._parts = list(inside(self.node))
        return self._parts


@dataclass(slots=True, eq=False)
class Class:
    name: str
    node: cst.ClassDef
    scope: Scope
    """Where the class statement stands."""
    bases: tuple[str, ...]
    methods: dict[str, Definition] = field(default_factory=dict)

    @property
    def instance(self) -> Ref:
        """What `self` stands for in every method of the class."""
        return Ref(f"{self.scope.id}.{self.name}", "self")


@dataclass(slots=True, eq=False)
class Scope:
    id: str
    parent: Scope | None
    within: Class | None = None
    """The class whose method this is."""
    parameters: dict[str, cst.Param] = field(default_factory=dict)
    instance_name: str | None = None
    assigned: dict[str, list[Value | None]] = field(default_factory=dict)
    """None stands for a value that cannot be told."""
    functions: dict[str, Definition] = field(default_factory=dict)
    classes: dict[str, Class] = field(default_factory=dict)
    augmented: dict[str, list[cst.AugAssign]] = field(default_factory=dict)
    """Augmented assignments, by the target as it is spelt."""
    outer: set[str] = field(default_factory=set)
    """Names declared global or nonlocal."""

    def inside_loop(self, bound: dict[str, list[Value | None]]) -> Scope:
        """The same scope as seen in the body of a loop, where its variables mean its elements."""
        return Scope(
            self.id,
            self,
            self.within,
            instance_name=self.instance_name,
            assigned=bound,
            augmented=self.augmented,
        )

    def home(self, name: str) -> Scope | None:
        """The scope a name belongs to, as Python would look it up."""
        scope: Scope | None = self
        while scope is not None:
            if name not in scope.outer and (
                name in scope.assigned
                or name in scope.parameters
                or name in scope.functions
                or name in scope.classes
            ):
                return scope
            scope = scope.parent
        return None


@dataclass(slots=True)
class Index:
    module: Scope
    imports: Imports = field(default_factory=Imports)
    definitions: list[Definition] = field(default_factory=list)
    classes: list[Class] = field(default_factory=list)
    attributes: list[tuple[cst.Attribute | cst.Subscript, Value | None, Scope]] = field(
        default_factory=list
    )
    """Assignments to attributes and elements, such as `self.opt = …`."""


def build_index(root: cst.Module) -> Index:
    module = Scope("", None)
    index = Index(module)
    function = Function("<module>", "")
    index.definitions.append(Definition(root, module, function))
    _Builder(index).block(root.body, module, function)
    return index


class _Builder:
    def __init__(self, index: Index) -> None:
        self._index = index

    def block(self, body: Iterable[cst.CSTNode], scope: Scope, function: Function) -> None:
        for statement in body:
            self._statement(statement, scope, function)

    def _statement(self, node: cst.CSTNode, scope: Scope, function: Function) -> None:
        match node:
            case cst.SimpleStatementLine(body=small) | cst.SimpleStatementSuite(body=small):
                for statement in small:
                    self._simple(statement, scope)
            case cst.IndentedBlock(body=body):
                self.block(body, scope, function)
            case cst.FunctionDef():
                self._function(node, scope, function, None)
            case cst.ClassDef():
                self._class(node, scope, function)
            case cst.For(target=target, iter=iterated, body=body, orelse=orelse):
                self._bind(target, Value(iterated, scope, iterated=True), scope)
                self._statement(body, scope, function)
                if orelse is not None:
                    self._statement(orelse, scope, function)
            case cst.With(items=items, body=body):
                for item in items:
                    if item.asname is not None:
                        self._bind(item.asname.name, Value(item.item, scope), scope)
                self._statement(body, scope, function)
            case cst.Try() | cst.TryStar():
                self._statement(node.body, scope, function)
                for handler in node.handlers:
                    if handler.name is not None:
                        self._bind(handler.name.name, None, scope)
                    self._statement(handler.body, scope, function)
                for part in (node.orelse, node.finalbody):
                    if part is not None:
                        self._statement(part, scope, function)
            case cst.Match(cases=cases):
                for case in cases:
                    self._statement(case.body, scope, function)
            case cst.If(body=body, orelse=orelse) | cst.While(body=body, orelse=orelse):
                self._statement(body, scope, function)
                if orelse is not None:
                    self._statement(orelse, scope, function)
            case cst.Else(body=body) | cst.Finally(body=body):
                self._statement(body, scope, function)

    def _simple(self, node: cst.BaseSmallStatement, scope: Scope) -> None:
        match node:
            case cst.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target.target, Value(value, scope), scope)
            case cst.AnnAssign(target=target, value=value):
                self._bind(target, Value(value, scope) if value is not None else None, scope)
            case cst.AugAssign(target=target):
                name = dotted(target)
                if name is not None:
                    scope.augmented.setdefault(name, []).append(node)
            case cst.Import() | cst.ImportFrom():
                self._index.imports.learn(node)
            case cst.Global(names=names) | cst.Nonlocal(names=names):
                scope.outer.update(item.name.value for item in names)

    def _bind(self, target: cst.BaseExpression, value: Value | None, scope: Scope) -> None:
        match target:
            case cst.Name(value=name):
                home = scope
                while name in home.outer and home.parent is not None:
                    home = home.parent
                home.assigned.setdefault(name, []).append(value)
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                for position, element in enumerate(elements):
                    self._bind(element.value, _part(value, position, len(elements)), scope)
            case cst.Attribute() | cst.Subscript():
                self._index.attributes.append((target, value, scope))

    def _function(
        self, node: cst.FunctionDef, scope: Scope, enclosing: Function, owner: Class | None
    ) -> Definition:
        name = node.name.value
        decorators = {dotted(d.decorator) for d in node.decorators}
        definition = define(
            node, scope, enclosing, owner, name, static="staticmethod" in decorators
        )
        table = owner.methods if owner is not None else scope.functions
        table[name] = definition
        self._index.definitions.append(definition)
        self._statement(node.body, definition.scope, definition.function)
        return definition

    def _class(self, node: cst.ClassDef, scope: Scope, enclosing: Function) -> None:
        bases = tuple(filter(None, (dotted(base.value) for base in node.bases)))
        found = Class(node.name.value, node, scope, bases)
        scope.classes[found.name] = found
        self._index.classes.append(found)
        body = Scope(f"{scope.id}.{found.name}", scope)
        for statement in _statements(node.body):
            if isinstance(statement, cst.FunctionDef):
                self._function(statement, scope, enclosing, found)
            elif isinstance(statement, cst.ClassDef):
                self._class(statement, body, enclosing)


def define(
    node: cst.FunctionDef | cst.Lambda,
    scope: Scope,
    enclosing: Function,
    owner: Class | None,
    name: str,
    *,
    static: bool = False,
) -> Definition:
    """Give a function or lambda its scope and an empty program."""
    prefix = f"{scope.id}.{owner.name}" if owner is not None else scope.id
    taken = owner.methods if owner is not None else scope.functions
    identity = f"{prefix}.{name}" + (f"#{id(node)}" if name in taken or name == "<lambda>" else "")
    inner = Scope(identity, scope, owner)
    for parameter in _parameters(node.params):
        inner.parameters[parameter.name.value] = parameter
    if owner is not None and not static and inner.parameters:
        inner.instance_name = next(iter(inner.parameters))
    function = Function(
        name=name,
        scope=identity,
        parameters=tuple(Ref(identity, parameter) for parameter in inner.parameters),
        owner_class=owner.instance.scope if owner is not None else None,
        enclosing=enclosing,
    )
    return Definition(node, inner, function, static)


def _part(value: Value | None, position: int, count: int) -> Value | None:
    if value is None:
        return None
    literal = value.expression
    if (
        not value.iterated
        and not value.index
        and isinstance(literal, cst.Tuple | cst.List)
        and len(literal.elements) == count
    ):
        return Value(literal.elements[position].value, value.scope)
    return Value(value.expression, value.scope, value.iterated, (*value.index, position))


def _parameters(parameters: cst.Parameters) -> Iterator[cst.Param]:
    yield from parameters.posonly_params
    yield from parameters.params
    if isinstance(parameters.star_arg, cst.Param):
        yield parameters.star_arg
    yield from parameters.kwonly_params
    if parameters.star_kwarg is not None:
        yield parameters.star_kwarg


def _statements(body: cst.BaseSuite) -> Sequence[cst.CSTNode]:
    return body.body
