"""From parsed modules to the program of their gradient events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

import libcst as cst

from ...config.settings import Settings
from ...program import Function
from ..event import Zero
from ..objects.resolver import Resolver
from ..scopes.define import define
from ..scopes.index import ParsedModule, build_index
from ..scopes.scope import Definition
from .argument_tests import ArgumentTests
from .by_hand import ByHand
from .call_effects import CallEffects
from .callees import Callees
from .condition_visitor import ConditionVisitor
from .context_managers import ContextManagers
from .emitter import Emitter, Frame
from .expression_visitor import ExpressionVisitor
from .flag_values import FlagValues
from .handed_functions import HandedFunctions
from .launcher_windows import LauncherWindows
from .loop_variables import LoopVariables
from .simple_statement_visitor import SimpleStatementVisitor
from .statement_visitor import StatementVisitor
from .trainer_steps import TrainerSteps
from .unread_effects import UnreadEffects


@dataclass(frozen=True, slots=True)
class LoweredModule:
    """One file, with what it needs of others, reduced to what happens to gradients.

    With it comes all that is known of its objects.
    """

    functions: list[Function]
    own: set[Function]
    """Those of the file itself, with what its classes inherit."""
    resolver: Resolver
    deferred_zeros: list[Zero]
    """Zeroings handed around as values, which run at an unknown time."""
    handed_out: set[str]
    """Scopes of functions handed around as values."""
    run_unnamed: set[str]
    """Scopes of functions that run without being named."""

    def take_apart(self) -> None:
        """Let go of it: its parts refer to each other, and would wait for a garbage collection."""
        for function in self.functions:
            function.body = []
        self.resolver.take_apart()


def lower_module(modules: Sequence[ParsedModule], settings: Settings) -> LoweredModule:
    """Lower the functions of a file, and of the modules it needs, that can matter.

    Events come out in the order they would happen.
    """
    resolver = Resolver(build_index(modules), settings)
    lowering = _Lowering(resolver, settings)
    definitions = resolver.index.definitions
    acting = {module.name: module.acting for module in modules}
    lowering.lower_each(d for d in list(definitions) if _may_act(d, acting[d.scope.module]))
    lowered = LoweredModule(
        [definition.function for definition in definitions],
        {definition.function for definition in definitions if not definition.belongs_to},
        resolver,
        lowering.emitter.deferred_zeros,
        lowering.handed.scopes,
        lowering.handed.unnamed,
    )
    vars(lowering).clear()  # the visitors refer to it, and it to them
    return lowered


def _may_act(definition: Definition, acting: Set[str] | None) -> bool:
    """Whether a function may do something to gradients when it runs, and does not wait to be run.

    Of the others the resolver knows what they say of objects; what happens in them counts where
    one of these runs them.
    """
    if acting is None or definition.belongs_to != definition.scope.module:
        return True  # what a class inherits from another module may run what it overrides
    function: Function | None = definition.function
    while function is not None and function.enclosing is not None:
        if function.name in acting:
            return True
        function = function.enclosing
    is_module = definition.function.enclosing is None
    return is_module and (not definition.scope.module or "" in acting)


class _Lowering:
    """Puts the visitors together and sends them through functions."""

    def __init__(self, resolver: Resolver, settings: Settings) -> None:
        self._index = resolver.index
        self.emitter = Emitter()
        self._windows = LauncherWindows(resolver)
        self._lowered: set[Definition] = set()
        self._lambdas: dict[tuple[Function, int], Definition] = {}
        conditions = ConditionVisitor(resolver.inventory.assigned, resolver.classes)
        by_hand = ByHand(resolver, self.emitter)
        callees = Callees(resolver, self._lambda_definition)
        self.handed = HandedFunctions(resolver, callees, self.emitter)
        unread = UnreadEffects(resolver, self.emitter, self.handed)
        calls = CallEffects(
            resolver,
            self.emitter,
            callees,
            ArgumentTests(conditions, resolver.makers),
            unread,
            settings,
        )
        self._trainer_steps = TrainerSteps(resolver.classes, self.emitter)
        loops = LoopVariables(resolver, self.emitter)
        self.expressions = ExpressionVisitor(
            resolver, self.emitter, calls, by_hand, conditions, loops, self.handed
        )
        flags = FlagValues(resolver.index, conditions, self.emitter)
        self._statements = StatementVisitor(
            resolver,
            self.emitter,
            self.expressions,
            by_hand,
            conditions,
            loops,
            ContextManagers(resolver, self.emitter, callees, unread),
            self._windows,
            SimpleStatementVisitor(
                resolver, self.emitter, self.expressions, by_hand, self.handed, flags
            ),
            flags,
        )

    def lower_each(self, definitions: Iterable[Definition]) -> None:
        """Give these functions their bodies, and all that they may run."""
        pending = list(definitions)
        while pending:
            for definition in pending:
                if definition not in self._lowered:
                    self._lower(definition)
            pending, self.emitter.invoked = self.emitter.invoked, []

    def _lower(self, definition: Definition) -> None:
        """Give a function its body."""
        self._lowered.add(definition)
        node = definition.node
        frame = Frame(definition.scope, definition.function, node)
        window = self._windows.around(definition)
        if window is not None:
            frame.launcher, frame.accumulated = window
        self.emitter.frame = frame
        if isinstance(node, cst.Lambda):
            frame.own_line = False
            definition.function.body = self.expressions.lower(node.body)
        else:
            inner = node if isinstance(node, cst.Module) else node.body
            body = self._statements.visit(inner)
            definition.function.body = self._trainer_steps.around(definition, body)

    def _lambda_definition(self, node: cst.Lambda, maker: Definition | None) -> Definition:
        """The function a lambda is, lowered when first asked for; `maker` gives it back."""
        frame = self.emitter.frame
        scope, around = (frame.scope, frame.function)
        if maker is not None:
            scope, around = (maker.scope, maker.function)
        function: Function | None = around
        known = None
        # Inside the function that has it, also where it calls itself, it is the same one.
        while known is None and function is not None:
            known = self._lambdas.get((function, id(node)))
            function = function.enclosing
        if known is None:
            known = define(node, scope, around, None, "<lambda>")
            self._lambdas[around, id(node)] = known
            self._index.definitions.append(known)
            self._lower(known)
            self.emitter.frame = frame
        return known
