"""Builds the scopes of a file in one visit of its statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

import libcst as cst

from ...program import Function
from ...syntax.names import dotted
from ...syntax.visitor import Visitor
from .changes import Changes
from .decorated import enter_decorators
from .define import define
from .inheritance import inherited_methods
from .returned_modules import bind_returned_modules
from .scope import Arm, ClassInfo, Definition, FileIndex, Scope, Turns, Value

Links = Mapping[str, tuple[str, str]]
"""By name as a module spells it: the other module it stands for a name of, and that name."""


class ParsedModule(NamedTuple):
    """A module in view; the file that is checked has no name."""

    name: str
    tree: cst.Module
    links: Links
    acting: Set[str] | None = None
    """The names of the functions that may act when they run, with an empty one for the module
    itself; None if any may."""


def build_index(modules: Sequence[ParsedModule]) -> FileIndex:
    """The scopes, functions and classes of a file and of the modules it needs."""
    index = FileIndex()
    changes = Changes(index)
    builder = _Builder(index)
    scopes: dict[str, Scope] = {}
    for module in modules:
        scope = scopes[module.name] = Scope(module.name, None)
        scope.changes = changes
        function = Function("<module>", module.name, module=module.name)
        index.definitions.append(Definition(module.tree, scope, function))
        builder.visit(module.tree, scope, function)
    for module in modules:
        for spelt, (other, name) in module.links.items():
            _link(scopes[module.name], spelt, scopes[other], name)
    bind_returned_modules(index)
    for owner, base, method in inherited_methods(index.classes):
        builder.inherit(owner, base, method)
    enter_decorators(index, scopes, builder.add)
    return index


def _link(scope: Scope, spelt: str, other: Scope, name: str) -> None:
    """Let a name stand for what another module gives it."""
    if scope.home(spelt) is not None:
        return  # a fallback under `except ImportError`: which of the two it is, is not known
    if name in other.functions:
        scope.functions[spelt] = other.functions[name]
    elif name in other.classes:
        scope.classes[spelt] = other.classes[name]
    elif name in other.assigned:
        scope.assigned[spelt] = [Value(cst.Name(name), other)]
    else:
        return
    scope.imports.read(spelt)


class _Builder(Visitor):
    """Visits statements; each method is given the scope and the function they stand in."""

    def __init__(self, index: FileIndex) -> None:
        self._index = index
        self._turns = Turns()
        self._forks = 0

    # --- blocks -----------------------------------------------------------------------------

    def _visit_body(
        self,
        node: cst.Module | cst.BaseSuite | cst.SimpleStatementLine | cst.Else | cst.Finally,
        scope: Scope,
        function: Function,
    ) -> None:
        body = node.body
        if isinstance(body, cst.BaseSuite):
            self.visit(body, scope, function)
            return
        for statement in body:
            self.visit(statement, scope, function)

    visit_Module = visit_IndentedBlock = visit_SimpleStatementLine = _visit_body
    visit_SimpleStatementSuite = visit_Else = visit_Finally = _visit_body

    # --- compound statements ----------------------------------------------------------------

    def _visit_ways(
        self,
        ways: Sequence[cst.CSTNode | None],
        scope: Scope,
        function: Function,
        *,
        exhaustive: bool,
    ) -> None:
        """Visit the ways through a statement, of which a run takes one."""
        arms, fork = self._turns.arms, self._forks
        self._forks += 1
        for number, way in enumerate(filter(None, ways)):
            arm = Arm(fork, number, len(ways) if exhaustive else 0)
            self._turns = self._turns._replace(arms=(*arms, arm))
            self.visit(way, scope, function)
        self._turns = self._turns._replace(arms=arms)

    def visit_If(self, node: cst.If, scope: Scope, function: Function) -> None:
        ways = (node.body, node.orelse)
        self._visit_ways(ways, scope, function, exhaustive=node.orelse is not None)

    def visit_While(self, node: cst.While | cst.For, scope: Scope, function: Function) -> None:
        self._turns = self._turns._replace(loops=self._turns.loops + 1)
        self._visit_ways((node.body,), scope, function, exhaustive=False)
        if node.orelse is not None:
            self.visit(node.orelse, scope, function)

    def visit_For(self, node: cst.For, scope: Scope, function: Function) -> None:
        self._bind(node.target, Value(node.iter, scope, iterated=True), scope)
        self.visit_While(node, scope, function)

    def visit_With(self, node: cst.With, scope: Scope, function: Function) -> None:
        for item in node.items:
            if item.asname is not None:
                self._bind(item.asname.name, Value(item.item, scope), scope)
        self.visit(node.body, scope, function)

    def visit_Try(self, node: cst.Try | cst.TryStar, scope: Scope, function: Function) -> None:
        for handler in node.handlers:
            if handler.name is not None:
                self._bind(handler.name.name, None, scope)
        ways = (node.body, *(handler.body for handler in node.handlers))
        self._visit_ways(ways, scope, function, exhaustive=True)
        for part in (node.orelse, node.finalbody):
            if part is not None:
                self.visit(part, scope, function)

    visit_TryStar = visit_Try

    def visit_Match(self, node: cst.Match, scope: Scope, function: Function) -> None:
        self._visit_ways([case.body for case in node.cases], scope, function, exhaustive=False)

    def visit_FunctionDef(self, node: cst.FunctionDef, scope: Scope, function: Function) -> None:
        self._function(node, scope, function, None)

    def visit_ClassDef(self, node: cst.ClassDef, scope: Scope, function: Function) -> None:
        bases = tuple(filter(None, (dotted(base.value) for base in node.bases)))
        found = ClassInfo(node.name.value, node, scope, bases)
        scope.classes[found.name] = found
        self._index.classes.append(found)
        body = Scope(f"{scope.id}.{found.name}", scope)
        for statement in node.body.body:
            if isinstance(statement, cst.FunctionDef):
                self._function(statement, scope, function, found)
            elif isinstance(statement, cst.ClassDef):
                self.visit_ClassDef(statement, body, function)

    # --- simple statements ------------------------------------------------------------------

    def visit_Assign(self, node: cst.Assign, scope: Scope, function: Function) -> None:
        for target in node.targets:
            if not scope.imports.learn_assigned(target.target, node.value):
                self._bind(target.target, Value(node.value, scope, turns=self._turns), scope)

    def visit_AnnAssign(self, node: cst.AnnAssign, scope: Scope, function: Function) -> None:
        if node.value is None:
            self._bind(node.target, None, scope)
        else:
            self._bind(node.target, Value(node.value, scope, turns=self._turns), scope)

    def visit_AugAssign(self, node: cst.AugAssign, scope: Scope, function: Function) -> None:
        name = dotted(node.target)
        if name is not None:
            scope.augmented.setdefault(name, []).append(node)

    def visit_Import(
        self, node: cst.Import | cst.ImportFrom, scope: Scope, function: Function
    ) -> None:
        scope.imports.learn(node)

    visit_ImportFrom = visit_Import

    def visit_Global(
        self, node: cst.Global | cst.Nonlocal, scope: Scope, function: Function
    ) -> None:
        scope.outer.update(item.name.value for item in node.names)

    visit_Nonlocal = visit_Global

    def visit_Expr(self, node: cst.Expr, scope: Scope, function: Function) -> None:
        """`nets.append(net)` gives a value to an element."""
        match node.value:
            case cst.Call(
                func=cst.Attribute(value=holder, attr=cst.Name(value="append" | "appendleft")),
                args=[cst.Arg(value=added, star="")],
            ):
                element = cst.Subscript(holder, [cst.SubscriptElement(cst.Index(cst.Ellipsis()))])
                self._bind(element, Value(added, scope, turns=self._turns), scope)

    # --- bindings ---------------------------------------------------------------------------

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
        self, node: cst.FunctionDef, scope: Scope, enclosing: Function, owner: ClassInfo | None
    ) -> None:
        definition = define(node, scope, enclosing, owner, node.name.value)
        table = owner.methods if owner is not None else scope.functions
        earlier = table.get(node.name.value)
        if earlier is not None and owner is None:
            for one in (earlier, definition):
                if isinstance(one.node, cst.FunctionDef) and not one.decorators:
                    scope.redefined[one.node] = one
        table[node.name.value] = definition
        self.add(definition)

    def inherit(self, owner: ClassInfo, base: ClassInfo, method: Definition) -> None:
        """Give a class a method of a base as its instances run it, with its own overrides."""
        node, outer = method.node, method.scope.parent
        assert isinstance(node, cst.FunctionDef) and outer is not None
        enclosing = method.function.enclosing
        assert enclosing is not None
        name = node.name.value
        definition = define(node, outer, enclosing, owner, name)
        definition.scope.defined_in = base
        owner.above[base, name] = definition
        owner.methods.setdefault(name, definition)
        self.add(definition)

    def add(self, definition: Definition) -> None:
        """Take in a function and what it binds."""
        self._index.definitions.append(definition)
        assert isinstance(definition.node, cst.FunctionDef)
        around, self._turns = self._turns, Turns((), self._turns.loops)
        self.visit(definition.node.body, definition.scope, definition.function)
        self._turns = around


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
        return replace(value, expression=literal.elements[position].value)
    return replace(value, index=(*value.index, position))
