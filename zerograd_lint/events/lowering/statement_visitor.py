"""Statements become control flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from ...program import (
    Atom,
    Block,
    Branch,
    Choice,
    Constant,
    Emit,
    Invoke,
    Jump,
    JumpKind,
    Loop,
    Rebind,
    Try,
    walk,
)
from ...syntax.names import code_of
from ...syntax.visitor import Visitor
from ...vocabulary.frameworks import ACCUMULATING_CONTEXTS, LOSS_CONTEXTS, UNSYNCHRONISED_CONTEXTS
from ..event import Ask, Escape, Unsynchronised, Zero
from ..objects.resolver import Resolver
from ..site import Guard
from .by_hand import ByHand
from .closing_tests import closes_behind_step
from .condition_visitor import SYNCHRONISES, ConditionVisitor
from .context_managers import ContextManagers
from .emitter import Emitter, may_fail
from .expression_visitor import ExpressionVisitor
from .finite_tests import spoilt_branches
from .flag_values import FlagValues
from .foreseen_errors import expects_error, foresees_error
from .launcher_windows import LauncherWindow, LauncherWindows
from .loop_variables import LoopVariables
from .match_patterns import always_matches, names_captured
from .once_per_loop import rounds_begin
from .renewals import Renewals
from .simple_statement_visitor import SimpleStatementVisitor
from .single_rounds import left_in_second_round, runs_once, stops_itself

_ASSUMED = Constant(True, assumed=True)


class StatementVisitor(Visitor):
    """Visits blocks and compound statements, one function after the other."""

    def __init__(
        self,
        resolver: Resolver,
        emitter: Emitter,
        expressions: ExpressionVisitor,
        by_hand: ByHand,
        conditions: ConditionVisitor,
        loops: LoopVariables,
        managers: ContextManagers,
        windows: LauncherWindows,
        simple: SimpleStatementVisitor,
        flags: FlagValues,
    ) -> None:
        self._renewals = Renewals(resolver)
        self._windows = windows
        self._resolver = resolver
        self._managers = managers
        self._emitter = emitter
        self._expressions = expressions
        self._by_hand = by_hand
        self._conditions = conditions
        self._loops = loops
        self._simple = simple
        self._flags = flags
        self._generators = {
            definition.scope.id
            for definition in resolver.index.definitions
            if definition.nodes(cst.Yield)
        }

    def visit_other(self, node: cst.CSTNode) -> Block:
        lowered: Block = self._simple.visit(node)
        return lowered

    # --- blocks -----------------------------------------------------------------------------

    def block(self, statements: Sequence[cst.CSTNode]) -> Block:
        """A list of statements, one after the other."""
        emitter = self._emitter
        lowered: Block = []
        frame = replace(emitter.frame, block=emitter.number(), only=len(statements) == 1)
        with emitter.within(frame):
            for statement in statements:
                frame.statement, frame.own_line = statement, True
                lowered += self.visit(statement)
                window = self._windows.begun_by(statement, frame.scope)
                if window is not None:
                    frame.launcher, frame.accumulated = window
                if type(statement) is cst.If and statement.orelse is None:
                    left = lowered[-1] if lowered else None
                    if isinstance(left, Branch) and _is_left(left.then):
                        # What follows `if test: continue` runs only where the test failed.
                        frame.guards = (*frame.guards, Guard.of(left.test, False))
                        frame.conditional = True
        return lowered

    def visit_Module(self, node: cst.Module | cst.IndentedBlock) -> Block:
        return self.block(node.body)

    visit_IndentedBlock = visit_Module

    def visit_SimpleStatementSuite(self, node: cst.SimpleStatementSuite) -> Block:
        emitter = self._emitter
        frame = replace(emitter.frame, block=emitter.number(), statement=node, own_line=False)
        with emitter.within(frame):
            return [item for small in node.body for item in self.visit(small)]

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> Block:
        if len(node.body) > 1:
            self._emitter.frame.own_line = False
        return [item for small in node.body for item in self.visit(small)]

    def _else(self, node: cst.Else | cst.Finally | None) -> Block:
        return self.visit(node.body) if node is not None else []

    # --- branches ---------------------------------------------------------------------------

    def visit_If(self, node: cst.If) -> Block:
        emitter = self._emitter
        frame = emitter.frame
        test = self._conditions.condition(node.test, frame.scope)
        before = self._expressions.lower(node.test)
        branches = (*frame.branches, emitter.site(node))
        guards = (*frame.guards, Guard.of(test, True))
        frame = replace(frame, branches=branches, conditional=may_fail(test) or frame.conditional)
        with emitter.within(replace(frame, guards=guards)):
            then = self.visit(node.body)
        if closes_behind_step(node, then):
            then += emitter.emit(Escape(), (None,), node.test, node.test)
        orelse: Block = []
        if node.orelse is not None:
            guards = (*frame.guards, Guard.of(test, False))
            with emitter.within(replace(frame, guards=guards)):
                inner = node.orelse
                orelse = self.visit_If(inner) if isinstance(inner, cst.If) else self._else(inner)
        renewed = self._renewals.in_turn(test, then)
        orelse = emitter.emit(Escape(), renewed, node.test, node.test) + orelse
        found, spoilt = spoilt_branches(node.test, frame.scope)
        if found.then:
            then = [*emitter.emit(spoilt, (None,), node.test, node.test), *then]
        elif found.orelse:
            orelse = [*emitter.emit(spoilt, (None,), node.test, node.test), *orelse]
        if test == _ASSUMED and then and isinstance(then[-1], Jump):
            test = Atom(None)  # what follows is there for the other answer
        return [*before, Branch(test, then, orelse)]

    def visit_Match(self, node: cst.Match) -> Block:
        with self._emitter.within(replace(self._emitter.frame, conditional=True)):
            arms = [self._captured(case.pattern) + self.visit(case.body) for case in node.cases]
        if not any(always_matches(case) for case in node.cases):
            arms.append([])
        return [*self._expressions.lower(node.subject), Choice(tuple(arms))]

    def _captured(self, pattern: cst.MatchPattern) -> Block:
        """`case (x, *rest):` gives names other values."""
        names = names_captured(pattern)
        return [item for name in names for item in self._by_hand.bind(name, None)]

    def visit_Try(self, node: cst.Try | cst.TryStar) -> Block:
        frame = self._emitter.frame
        with self._emitter.within(replace(frame, caught=frame.caught or foresees_error(node))):
            body = self.visit(node.body)
        return [
            Try(
                body,
                tuple(self.visit(handler.body) for handler in node.handlers),
                self._else(node.orelse),
                self._else(node.finalbody),
            )
        ]

    visit_TryStar = visit_Try

    def visit_With(self, node: cst.With) -> Block:
        emitter = self._emitter
        frame = emitter.frame
        entered: list[Block] = []
        window = self._windows.begun_by(node, emitter.scope)
        if window is not None:
            frame = replace(frame, launcher=window.launcher, accumulated=window.modules)
        for item in node.items:
            entering = self._expressions.lower(item.item)
            if item.asname is not None:
                entering += self._by_hand.bind(item.asname.name, None)
            match item.item:
                case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))):
                    if name in ACCUMULATING_CONTEXTS and window is not None:
                        entering += self._opened(window, item.item)
                    elif name in LOSS_CONTEXTS:
                        frame = replace(frame, wrapper=emitter.site(node))
            unsynchronised = self._unsynchronised(item.item, node)
            if unsynchronised is not None:
                frame = replace(frame, unsynchronised=unsynchronised)
            entered.append(entering)
        fails = any(expects_error(item.item) for item in node.items)
        with emitter.within(replace(frame, fails=frame.fails or fails)):
            lowered: Block = self.visit(node.body)
        if fails:
            lowered = [Branch(Atom(None), lowered, [])]  # up to where it fails
        for item, entering in zip(reversed(node.items), reversed(entered), strict=True):
            lowered = self._managers.around(item.item, entering, lowered)
        return lowered

    def _opened(self, window: LauncherWindow, context: cst.Call) -> Block:
        """What the beginning of a launcher's window does; of one of any length it is not known."""
        opened: Block = [Rebind(frozenset({SYNCHRONISES}))]
        if self._windows.is_resized(window):
            opened += self._emitter.emit(Escape(), (None,), context, context)
        return opened

    def _unsynchronised(self, entered: cst.BaseExpression, node: cst.With) -> Unsynchronised | None:
        """`with model.no_sync():`, or `with model.no_sync() if … else nullcontext():`."""
        alone = len(node.body.body) == 1 and not isinstance(node.body.body[0], cst.With)
        match entered:
            case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))):
                return Unsynchronised(None, alone) if name in UNSYNCHRONISED_CONTEXTS else None
            case cst.IfExp(test=test, body=body, orelse=orelse):
                condition = self._conditions.condition(test, self._emitter.scope)
                for chosen, taken in ((body, True), (orelse, False)):
                    if self._unsynchronised(chosen, node) is not None:
                        return Unsynchronised(Guard.of(condition, taken), alone)
        return None

    # --- loops ------------------------------------------------------------------------------

    def visit_For(self, node: cst.For) -> Block:
        emitter = self._emitter
        frame = emitter.frame
        before = [rounds_begin(node.target, frame.scope), *self._expressions.lower(node.iter)]
        loops = (*frame.loops, emitter.number())
        inner = replace(
            frame,
            scope=self._loops.body_scope(node.target, node.iter),
            loops=loops,
            guards=(),
            branches=(),
        )
        with emitter.within(inner):
            body = [
                Rebind(frozenset({SYNCHRONISES})),
                *self._by_hand.bind(node.target, None),
                *self.visit(node.body),
            ]
        orelse = self._else(node.orelse)
        self._note_shorter_zeroing(node, body)
        once = runs_once(node.iter, frame.scope) or left_in_second_round(node)
        for item in () if once else before:
            if isinstance(item, Invoke) and item.function.scope in self._generators:
                item.consumer = body
                return before + orelse
        each = self._loops.collections_walked(node.target, node.iter, node.body)
        return [*before, Loop(body, orelse, each=each, once=once)]

    def _note_shorter_zeroing(self, node: cst.For, body: Block) -> None:
        """`for p in net.parameters(): p.grad = None` does what `net.zero_grad()` does."""
        match node.iter:
            case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(value="parameters"))):
                emitted = [i.event for i in walk(body) if isinstance(i, Emit)]
                events = [event for event in emitted if not isinstance(event, Ask)]
                others = [i for i in walk(body) if not isinstance(i, Emit | Rebind | Branch)]
                event = events[0] if len(events) == 1 and not others else None
                if (
                    isinstance(event, Zero)
                    and event.by_hand
                    and all(guard.decided for guard in event.site.guards)
                    and not isinstance(module, cst.Call)
                ):
                    event.shorter = f"{code_of(module)}.zero_grad()"
                    event.loop = self._emitter.site(node)

    def visit_While(self, node: cst.While) -> Block:
        emitter = self._emitter
        frame = emitter.frame
        test = self._conditions.condition(node.test, frame.scope)
        loops = (*frame.loops, emitter.number())
        with emitter.within(replace(frame, loops=loops, guards=(), branches=())):
            asked = self._expressions.lower(node.test) + self._flags.leaving(node, test)
            body = asked + self.visit(node.body)
        endless = isinstance(test, Constant) and test.value
        return [Loop(body, self._else(node.orelse), endless=endless, once=stops_itself(node))]


def _is_left(block: Block) -> bool:
    """What follows the block is passed over; where the whole run ends, nothing follows."""
    return bool(block) and isinstance(block[-1], Jump) and block[-1].kind is not JumpKind.EXIT
