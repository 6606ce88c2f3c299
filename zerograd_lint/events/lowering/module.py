"""From syntax to program: lowers every function of one file."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from ...config.settings import Settings
from ...program import Emit, Function, Ref
from ..event import Site
from ..objects.losses import frozen_modules
from ..scopes.index import Definition, Index, define
from .assignments import Assignments
from .buffers import buffers_in
from .calls import CallEffects
from .context import Context, Frame
from .expressions import Expressions
from .statements import Statements


class Lowering(Context):
    """Lowers every function of one file. Events come out in the order they would happen."""

    def __init__(self, index: Index, settings: Settings) -> None:
        super().__init__(index, settings)
        self.statements = Statements(self)
        self.assignments = Assignments(self)
        self.expressions = Expressions(self)
        self.calls = CallEffects(self)
        self._lambdas: dict[int, Definition] = {}
        self.generators = {
            definition.scope.id
            for definition in index.definitions
            if any(type(node) is cst.Yield for node in definition.parts)
        }
        self.frozen: set[Ref] = set()
        self.loose: list[Emit] = []
        """Zeroings handed around as values, to be called nobody knows when."""
        self.handed_out: set[str] = set()
        """Scopes of functions handed around as values."""
        self.gradient_names: dict[Ref, tuple[Ref, ...]] = {}
        """Local names that hold a gradient: `g = p.grad`."""

    def lower(self) -> list[Function]:
        self.frozen = frozen_modules(self)
        for definition in self.index.definitions:
            self._learn_gradient_names(definition)
        for definition in list(self.index.definitions):
            self._lower(definition)
        return [definition.function for definition in self.index.definitions]

    def _lower(self, definition: Definition) -> None:
        node = definition.node
        self.frame = Frame(definition.scope, definition.function, node)
        match node:
            case cst.Module(body=body):
                definition.function.body = self.statements.block(body)
            case cst.FunctionDef(body=suite):
                definition.function.body = self.statements.suite(suite)
            case cst.Lambda(body=expression):
                self.frame = replace(self.frame, alone=False)
                definition.function.body = self.expressions.lower(expression)

    def lambda_definition(self, node: cst.Lambda) -> Definition:
        """The function a lambda is, lowered when first asked for."""
        known = self._lambdas.get(id(node))
        if known is None:
            frame = self.frame
            known = define(node, frame.scope, frame.function, None, "<lambda>")
            self._lambdas[id(node)] = known
            self.index.definitions.append(known)
            self._lower(known)
            self.frame = frame
        return known

    def _learn_gradient_names(self, definition: Definition) -> None:
        scope = definition.scope
        for name, values in scope.assigned.items():
            for value in values:
                if value is None:
                    continue
                for owner in buffers_in(value.expression):
                    refs = self.subjects(owner, value.scope)
                    if refs:
                        known = self.gradient_names.get(Ref(scope.id, name), ())
                        self.gradient_names[Ref(scope.id, name)] = known + refs

    def first_place(self, definition: Definition) -> Site | None:
        """The first statement of a function, its docstring left out."""
        node = definition.node
        if not isinstance(node, cst.FunctionDef) or not isinstance(node.body, cst.IndentedBlock):
            return None
        statements = node.body.body
        start = 1 if node.get_docstring() is not None and len(statements) > 1 else 0
        first = statements[start]
        return Site(first, first, definition.function, 0, (), (), (), alone=True)
