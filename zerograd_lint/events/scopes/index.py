"""Who is called what: functions, classes and assignments of a file, scope by scope."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ... import tree
from ...program import Function, Ref
from ...syntax.walk import inside
from .imports import Imports, dotted


@dataclass(slots=True)
class Value:
    """Something a name is bound to: an expression, an element of it, or a part of that."""

    expression: tree.BaseExpression
    scope: Scope
    iterated: bool = False
    index: tuple[int, ...] = ()


@dataclass(slots=True, eq=False)
class Definition:
    """A function of the file, its scope, and the program it becomes."""

    node: tree.FunctionDef | tree.Lambda | tree.Module
    scope: Scope
    function: Function
    static: bool = False
    _parts: list[tree.Node] | None = None

    @property
    def parts(self) -> list[tree.Node]:
        """All nodes inside it, without those of functions defined in it; gathered once."""
        if self._parts is None:
            self._parts = list(inside(self.node))
        return self._parts


@dataclass(slots=True, eq=False)
class Class:
    name: str
    node: tree.ClassDef
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
    parameters: dict[str, tree.Param] = field(default_factory=dict)
    instance_name: str | None = None
    assigned: dict[str, list[Value | None]] = field(default_factory=dict)
    """None stands for a value that cannot be told."""
    functions: dict[str, Definition] = field(default_factory=dict)
    classes: dict[str, Class] = field(default_factory=dict)
    augmented: dict[str, list[tree.AugAssign]] = field(default_factory=dict)
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
    attributes: list[tuple[tree.Attribute | tree.Subscript, Value | None, Scope]] = field(
        default_factory=list
    )
    """Assignments to attributes and elements, such as `self.opt = …`."""


def build_index(root: tree.Module) -> Index:
    module = Scope("", None)
    index = Index(module)
    function = Function("<module>", "")
    index.definitions.append(Definition(root, module, function))
    _Builder(index).block(root.body, module, function)
    return index


class _Builder:
    def __init__(self, index: Index) -> None:
        self._index = index

    def block(self, body: Iterable[tree.Node], scope: Scope, function: Function) -> None:
        for statement in body:
            self._statement(statement, scope, function)

    def _statement(self, node: tree.Node, scope: Scope, function: Function) -> None:
        match node:
            case tree.SimpleStatementLine(body=small) | tree.SimpleStatementSuite(body=small):
                for statement in small:
                    self._simple(statement, scope)
            case tree.IndentedBlock(body=body):
                self.block(body, scope, function)
            case tree.FunctionDef():
                self._function(node, scope, function, None)
            case tree.ClassDef():
                self._class(node, scope, function)
            case tree.For(target=target, iter=iterated, body=body, orelse=orelse):
                self._bind(target, Value(iterated, scope, iterated=True), scope)
                self._statement(body, scope, function)
                if orelse is not None:
                    self._statement(orelse, scope, function)
            case tree.With(items=items, body=body):
                for item in items:
                    if item.asname is not None:
                        self._bind(item.asname.name, Value(item.item, scope), scope)
                self._statement(body, scope, function)
            case tree.Try() | tree.TryStar():
                self._statement(node.body, scope, function)
                for handler in node.handlers:
                    if handler.name is not None:
                        self._bind(handler.name.name, None, scope)
                    self._statement(handler.body, scope, function)
                for part in (node.orelse, node.finalbody):
                    if part is not None:
                        self._statement(part, scope, function)
            case tree.Match(cases=cases):
                for case in cases:
                    self._statement(case.body, scope, function)
            case tree.If(body=body, orelse=orelse) | tree.While(body=body, orelse=orelse):
                self._statement(body, scope, function)
                if orelse is not None:
                    self._statement(orelse, scope, function)
            case tree.Else(body=body) | tree.Finally(body=body):
                self._statement(body, scope, function)

    def _simple(self, node: tree.BaseSmallStatement, scope: Scope) -> None:
        match node:
            case tree.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target.target, Value(value, scope), scope)
            case tree.AnnAssign(target=target, value=value):
                self._bind(target, Value(value, scope) if value is not None else None, scope)
            case tree.AugAssign(target=target):
                name = dotted(target)
                if name is not None:
                    scope.augmented.setdefault(name, []).append(node)
            case tree.Import() | tree.ImportFrom():
                self._index.imports.learn(node)
            case tree.Global(names=names) | tree.Nonlocal(names=names):
                scope.outer.update(item.name.value for item in names)

    def _bind(self, target: tree.BaseExpression, value: Value | None, scope: Scope) -> None:
        match target:
            case tree.Name(value=name):
                home = scope
                while name in home.outer and home.parent is not None:
                    home = home.parent
                home.assigned.setdefault(name, []).append(value)
            case tree.Tuple(elements=elements) | tree.List(elements=elements):
                for position, element in enumerate(elements):
                    self._bind(element.value, _part(value, position, len(elements)), scope)
            case tree.Attribute() | tree.Subscript():
                self._index.attributes.append((target, value, scope))

    def _function(
        self, node: tree.FunctionDef, scope: Scope, enclosing: Function, owner: Class | None
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

    def _class(self, node: tree.ClassDef, scope: Scope, enclosing: Function) -> None:
        bases = tuple(filter(None, (dotted(base.value) for base in node.bases)))
        found = Class(node.name.value, node, scope, bases)
        scope.classes[found.name] = found
        self._index.classes.append(found)
        body = Scope(f"{scope.id}.{found.name}", scope)
        for statement in _statements(node.body):
            if isinstance(statement, tree.FunctionDef):
                self._function(statement, scope, enclosing, found)
            elif isinstance(statement, tree.ClassDef):
                self._class(statement, body, enclosing)


def define(
    node: tree.FunctionDef | tree.Lambda,
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
        and isinstance(literal, tree.Tuple | tree.List)
        and len(literal.elements) == count
    ):
        return Value(literal.elements[position].value, value.scope)
    return Value(value.expression, value.scope, value.iterated, (*value.index, position))


def _parameters(parameters: tree.Parameters) -> Iterator[tree.Param]:
    yield from parameters.posonly_params
    yield from parameters.params
    if isinstance(parameters.star_arg, tree.Param):
        yield parameters.star_arg
    yield from parameters.kwonly_params
    if parameters.star_kwarg is not None:
        yield parameters.star_kwarg


def _statements(body: tree.BaseSuite) -> Sequence[tree.Node]:
    return body.body
