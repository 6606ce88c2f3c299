"""Statements become control flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...program import (
    Block,
    Branch,
    Choice,
    Constant,
    Emit,
    Function,
    Invoke,
    Jump,
    JumpKind,
    Loop,
    Rebind,
    Try,
    walk,
)
from ...syntax.names import code_of
from ...vocabulary.calls import ZEROING_METHODS
from ...vocabulary.frameworks import ACCUMULATING_CONTEXTS, LOSS_CONTEXTS
from ..event import Event, Kind
from .buffers import buffer_owner
from .conditions import SYNCHRONISES
from .context import guard
from .expressions import loop_names

if TYPE_CHECKING:
    from .module import Lowering


class Statements:
    def __init__(self, hub: Lowering) -> None:
        self._hub = hub

    def suite(self, suite: cst.BaseSuite) -> Block:
        if isinstance(suite, cst.SimpleStatementSuite):
            with self._hub.within(
                replace(self._hub.frame, block=self._hub.number(), statement=suite, alone=False)
            ):
                return [item for small in suite.body for item in self._small(small)]
        return self.block(suite.body)

    def block(self, statements: Sequence[cst.CSTNode]) -> Block:
        lowered: Block = []
        only = len(statements) == 1
        with self._hub.within(replace(self._hub.frame, block=self._hub.number(), only=only)):
            for statement in statements:
                self._hub.frame = replace(self._hub.frame, statement=statement, alone=True)
                lowered.extend(self._statement(statement))
                if isinstance(statement, cst.If) and statement.orelse is None:
                    left = lowered[-1] if lowered else None
                    if isinstance(left, Branch) and _leaves(left.then):
                        # What follows `if test: continue` runs only where the test failed.
                        self._hub.frame = replace(
                            self._hub.frame,
                            guards=(*self._hub.frame.guards, guard(left.test, False)),
                        )
        return lowered

    def _statement(self, node: cst.CSTNode) -> Block:
        match node:
            case cst.SimpleStatementLine(body=small):
                if len(small) > 1:
                    self._hub.frame = replace(self._hub.frame, alone=False)
                return [item for statement in small for item in self._small(statement)]
            case cst.If():
                return self._if(node)
            case cst.For():
                return self._for(node)
            case cst.While():
                return self._while(node)
            case cst.With(items=items, body=body):
                return self._with(node, items, body)
            case cst.Try() | cst.TryStar():
                return [
                    Try(
                        self.suite(node.body),
                        tuple(self.suite(handler.body) for handler in node.handlers),
                        self.suite(node.orelse.body) if node.orelse is not None else [],
                        self.suite(node.finalbody.body) if node.finalbody is not None else [],
                    )
                ]
            case cst.Match(subject=subject, cases=cases):
                arms = [self.suite(case.body) for case in cases]
                if not any(
                    isinstance(case.pattern, cst.MatchAs)
                    and case.pattern.pattern is None
                    and case.guard is None
                    for case in cases
                ):
                    arms.append([])
                return [*self._hub.expressions.lower(subject), Choice(tuple(arms))]
        return []

    def _with(self, node: cst.With, items: Sequence[cst.WithItem], body: cst.BaseSuite) -> Block:
        lowered: Block = []
        frame = self._hub.frame
        for item in items:
            lowered.extend(self._hub.expressions.lower(item.item))
            if item.asname is not None:
                lowered.extend(self._hub.assignments.bind(item.asname.name, None))
            match item.item:
                case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))):
                    if name in ACCUMULATING_CONTEXTS:
                        lowered.append(Rebind(frozenset({SYNCHRONISES})))
                        frame = replace(frame, managed=True)
                    elif name in LOSS_CONTEXTS:
                        frame = replace(frame, wrapper=self._hub.site(node))
        with self._hub.within(frame):
            return lowered + self.suite(body)

    def _if(self, node: cst.If) -> Block:
        test = self._hub.tests.condition(node.test, self._hub.scope)
        before = self._hub.expressions.lower(node.test)
        frame = self._hub.frame
        frame = replace(frame, branches=(*frame.branches, self._hub.site(node)))
        with self._hub.within(replace(frame, guards=(*frame.guards, guard(test, True)))):
            then = self.suite(node.body)
        with self._hub.within(replace(frame, guards=(*frame.guards, guard(test, False)))):
            match node.orelse:
                case cst.If():
                    orelse = self._if(node.orelse)
                case cst.Else(body=body):
                    orelse = self.suite(body)
                case _:
                    orelse = []
        return [*before, Branch(test, then, orelse)]

    def _for(self, node: cst.For) -> Block:
        before = self._hub.expressions.lower(node.iter)
        frame = self._hub.frame
        scope = frame.scope
        names = loop_names(node.target, node.iter, scope)
        if any(
            self._hub.objects.elements(value.expression, value.index, scope)
            for values in names.values()
            for value in values
            if value is not None
        ):
            scope = scope.inside_loop(names)
        inner = replace(
            frame, scope=scope, loops=(*frame.loops, self._hub.number()), guards=(), branches=()
        )
        with self._hub.within(inner):
            body = [
                Rebind(frozenset({SYNCHRONISES})),
                *self._hub.assignments.bind(node.target, None),
                *self.suite(node.body),
            ]
        orelse = self.suite(node.orelse.body) if node.orelse is not None else []
        self._note_slow_zeroing(node, body)
        for item in before:
            if isinstance(item, Invoke) and self._suspends(item.function):
                item.consumer = body
                return before + orelse
        return [
            *before,
            Loop(body, orelse, each=self._hub.expressions.each(node.target, node.iter, node.body)),
        ]

    def _note_slow_zeroing(self, node: cst.For, body: Block) -> None:
        """`for p in net.parameters(): p.grad = None` does what `net.zero_grad()` does."""
        match node.iter:
            case cst.Call(func=cst.Attribute(value=module, attr=cst.Name(value="parameters"))):
                events = [i.event for i in walk(body) if isinstance(i, Emit)]
                others = [i for i in walk(body) if not isinstance(i, Emit | Rebind | Branch)]
                event = events[0] if len(events) == 1 and not others else None
                if (
                    isinstance(event, Event)
                    and event.kind is Kind.ZERO
                    and event.by_hand
                    and all(guard.decided for guard in event.site.guards)
                    and not isinstance(module, cst.Call)
                ):
                    event.slow = f"{code_of(module)}.zero_grad()"
                    event.whole = self._hub.site(node)

    def _suspends(self, function: Function) -> bool:
        """Whether a function of the file is a generator."""
        return function.scope in self._hub.generators

    def _while(self, node: cst.While) -> Block:
        test = self._hub.tests.condition(node.test, self._hub.scope)
        frame = self._hub.frame
        inner = replace(frame, loops=(*frame.loops, self._hub.number()), guards=(), branches=())
        with self._hub.within(inner):
            body = self._hub.expressions.lower(node.test) + self.suite(node.body)
        orelse = self.suite(node.orelse.body) if node.orelse is not None else []
        endless = isinstance(test, Constant) and test.value
        return [Loop(body, orelse, endless=endless)]

    def _small(self, node: cst.BaseSmallStatement) -> Block:
        match node:
            case cst.Expr(value=value):
                return self._uncalled(value) or self._hub.expressions.lower(value)
            case cst.Assign(targets=targets, value=value):
                return self._hub.assignments.assign([target.target for target in targets], value)
            case cst.AnnAssign(target=target, value=value) if value is not None:
                return self._hub.assignments.assign([target], value)
            case cst.AugAssign(target=target, operator=operator, value=value):
                return self._hub.assignments.augment(node, target, operator, value)
            case cst.Return(value=value):
                before = self._hub.expressions.lower(value) if value is not None else []
                return [*before, Jump(JumpKind.RETURN)]
            case cst.Raise():
                return [Jump(JumpKind.RAISE)]
            case cst.Break():
                return [Jump(JumpKind.BREAK)]
            case cst.Continue():
                return [Jump(JumpKind.CONTINUE)]
            case cst.Del(target=target):
                owner = buffer_owner(target)
                if owner is not None:
                    return self._hub.assignments.zero_by_hand(owner, node, leaves_none=True)
            case cst.Assert(test=test):
                return self._hub.expressions.lower(test)
        return []

    def _uncalled(self, value: cst.BaseExpression) -> Block:
        """`optimizer.zero_grad` on a line of its own."""
        match value:
            case cst.Attribute(value=receiver, attr=cst.Name(value=name)) if (
                name in ZEROING_METHODS
            ):
                subjects = self._hub.subjects(receiver)
                if isinstance(receiver, cst.Call) and not subjects:
                    return self._hub.emit(Kind.UNCALLED, (None,), value, receiver)
                return self._hub.emit(Kind.UNCALLED, subjects, value, receiver)
        return []


def _leaves(block: Block) -> bool:
    return bool(block) and isinstance(block[-1], Jump)
