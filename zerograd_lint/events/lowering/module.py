"""From a parsed module to the program of its gradient events."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from ...config.settings import Settings
from ...program import Function
from ..event import Zero
from ..objects.resolver import Resolver
from ..scopes.index import build_index, define
from ..scopes.scope import Definition
from .by_hand import ByHand
from .call_effects import CallEffects
from .callees import Callees
from .condition_visitor import ConditionVisitor
from .emitter import Emitter, Frame
from .expression_visitor import ExpressionVisitor
from .loop_variables import LoopVariables
from .statement_visitor import StatementVisitor


@dataclass(frozen=True, slots=True)
class LoweredModule:
    """One file reduced to what happens to gradients, and all that is known of its objects."""

    functions: list[Function]
    resolver: Resolver
    deferred_zeros: list[Zero]
    """Zeroings handed around as values, which run at an unknown time."""
    handed_out: set[str]
    """Scopes of functions handed around as values."""


def lower_module(module: cst.Module, settings: Settings) -> LoweredModule:
    """Lower every function of a file. Events come out in the order they would happen."""
    resolver = Resolver(build_index(module), settings)
    lowering = _Lowering(resolver, settings)
    for definition in list(resolver.index.definitions):
        lowering.lower(definition)
    return LoweredModule(
        [definition.function for definition in resolver.index.definitions],
        resolver,
        lowering.emitter.deferred_zeros,
        lowering.expressions.handed_out,
    )


class _Lowering:
    """Puts the visitors together and sends them through functions."""

    def __init__(self, resolver: Resolver, settings: Settings) -> None:
        self._index = resolver.index
        self.emitter = Emitter()
        self._lambdas: dict[int, Definition] = {}
        conditions = ConditionVisitor(resolver.inventory.assigned)
        by_hand = ByHand(resolver, self.emitter)
        callees = Callees(resolver, self._lambda_definition)
        calls = CallEffects(resolver, self.emitter, callees, settings)
        loops = LoopVariables(resolver, self.emitter)
        self.expressions = ExpressionVisitor(
            resolver, self.emitter, calls, by_hand, conditions, loops
        )
        self._statements = StatementVisitor(
            resolver, self.emitter, self.expressions, by_hand, conditions, loops
        )

    def lower(self, definition: Definition) -> None:
        """Give a function its body."""
        node = definition.node
        frame = Frame(definition.scope, definition.function, node)
        self.emitter.frame = frame
        if isinstance(node, cst.Lambda):
            frame.own_line = False
            definition.function.body = self.expressions.lower(node.body)
        else:
            inner = node if isinstance(node, cst.Module) else node.body
            definition.function.body = self._statements.visit(inner)

    def _lambda_definition(self, node: cst.Lambda) -> Definition:
        """The function a lambda is, lowered when first asked for."""
        known = self._lambdas.get(id(node))
        if known is None:
            frame = self.emitter.frame
            known = define(node, frame.scope, frame.function, None, "<lambda>")
            self._lambdas[id(node)] = known
            self._index.definitions.append(known)
            self.lower(known)
            self.emitter.frame = frame
        return known
