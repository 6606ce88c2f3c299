"""Statements become control flow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ... import tree
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

    def suite(self, suite: tree.BaseSuite) -> Block:
        if isinstance(suite, tree.SimpleStatementSuite):
            with self._hub.within(
                replace(self._hub.frame, block=self._hub.number(), statement=suite, alone=False)
            ):
                return [item for small in suite.body for item in self._small(small)]
        return self.block(suite.body)

    def block(self, statements: Sequence[tree.Node]) -> Block:
        lowered: Block = []
        only = len(statements) == 1
        with self._hub.within(replace(self._hub.frame, block=self._hub.number(), only=only)):
            for statement in statements:
                self._hub.frame = replace(self._hub.frame, statement=statement, alone=True)
                lowered.extend(self._statement(statement))
                if isinstance(statement, tree.If) and statement.orelse is None:
                    left = lowered[-1] if lowered else None
                    if isinstance(left, Branch) and _leaves(left.then):
                        # What follows `if test: continue` runs only where the test failed.
                        self._hub.frame = replace(
                            self._hub.frame,
                            guards=(*self._hub.frame.guards, guard(left.test, False)),
                        )
        return lowered

    def _statement(self, node: tree.Node) -> Block:
        match node:
            case tree.SimpleStatementLine(body=small):
                if len(small) > 1:
                    self._hub.frame = replace(self._hub.frame, alone=False)
                return [item for statement in small for item in self._small(statement)]
            case tree.If():
                return self._if(node)
            case tree.For():
                return self._for(node)
            case tree.While():
                return self._while(node)
            case tree.With(items=items, body=body):
                return self._with(node, items, body)
            case tree.Try() | tree.TryStar():
                return [
                    Try(
                        self.suite(node.body),
                        tuple(self.suite(handler.body) for handler in node.handlers),
                        self.suite(node.orelse.body) if node.orelse is not None else [],
                        self.suite(node.finalbody.body) if node.finalbody is not None else [],
                    )
                ]
            case tree.Match(subject=subject, cases=cases):
                arms = [self.suite(case.body) for case in cases]
                if not any(
                    isinstance(case.pattern, tree.MatchAs)
                    and case.pattern.pattern is None
                    and case.guard is None
                    for case in cases
                ):
                    arms.append([])
                return [*self._hub.expressions.lower(subject), Choice(tuple(arms))]
        return []

    def _with(self, node: tree.With, items: Sequence[tree.WithItem], body: tree.BaseSuite) -> Block:
        lowered: Block = []
        frame = self._hub.frame
        for item in items:
            lowered.extend(self._hub.expressions.lower(item.item))
            if item.asname is not None:
                lowered.extend(self._hub.assignments.bind(item.asname.name, None))
            match item.item:
                case tree.Call(func=tree.Attribute(attr=tree.Name(value=name))):
                    if name in ACCUMULATING_CONTEXTS:
                        lowered.append(Rebind(frozenset({SYNCHRONISES})))
                        frame = replace(frame, managed=True)
                    elif name in LOSS_CONTEXTS:
                        frame = replace(frame, wrapper=self._hub.site(node))
        with self._hub.within(frame):
            return lowered + self.suite(body)

    def _if(self, node: tree.If) -> Block:
        test = self._hub.tests.condition(node.test, self._hub.scope)
        before = self._hub.expressions.lower(node.test)
        frame = self._hub.frame
        frame = replace(frame, branches=(*frame.branches, self._hub.site(node)))
        with self._hub.within(replace(frame, guards=(*frame.guards, guard(test, True)))):
            then = self.suite(node.body)
        with self._hub.within(replace(frame, guards=(*frame.guards, guard(test, False)))):
            match node.orelse:
                case tree.If():
                    orelse = self._if(node.orelse)
                case tree.Else(body=body):
                    orelse = self.suite(body)
                case _:
                    orelse = []
        return [*before, Branch(test, then, orelse)]

    def _for(self, node: tree.For) -> Block:
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

    def _note_slow_zeroing(self, node: tree.For, body: Block) -> None:
        """`for p in net.parameters(): p.grad = None` does what `net.zero_grad()` does."""
        match node.iter:
            case tree.Call(func=tree.Attribute(value=module, attr=tree.Name(value="parameters"))):
                events = [i.event for i in walk(body) if isinstance(i, Emit)]
                others = [i for i in walk(body) if not isinstance(i, Emit | Rebind | Branch)]
                event = events[0] if len(events) == 1 and not others else None
                if (
                    isinstance(event, Event)
                    and event.kind is Kind.ZERO
                    and event.by_hand
                    and all(guard.decided for guard in event.site.guards)
                    and not isinstance(module, tree.Call)
                ):
                    event.slow = f"{module.code}.zero_grad()"
                    event.whole = self._hub.site(node)

    def _suspends(self, function: Function) -> bool:
        """Whether a function of the file is a generator."""
        return function.scope in self._hub.generators

    def _while(self, node: tree.While) -> Block:
        test = self._hub.tests.condition(node.test, self._hub.scope)
        frame = self._hub.frame
        inner = replace(frame, loops=(*frame.loops, self._hub.number()), guards=(), branches=())
        with self._hub.within(inner):
            body = self._hub.expressions.lower(node.test) + self.suite(node.body)
        orelse = self.suite(node.orelse.body) if node.orelse is not None else []
        endless = isinstance(test, Constant) and test.value
        return [Loop(body, orelse, endless=endless)]

    def _small(self, node: tree.BaseSmallStatement) -> Block:
        match node:
            case tree.Expr(value=value):
                return self._uncalled(value) or self._hub.expressions.lower(value)
            case tree.Assign(targets=targets, value=value):
                return self._hub.assignments.assign([target.target for target in targets], value)
            case tree.AnnAssign(target=target, value=value) if value is not None:
                return self._hub.assignments.assign([target], value)
            case tree.AugAssign(target=target, operator=operator, value=value):
                return self._hub.assignments.augment(node, target, operator, value)
            case tree.Return(value=value):
                before = self._hub.expressions.lower(value) if value is not None else []
                return [*before, Jump(JumpKind.RETURN)]
            case tree.Raise():
                return [Jump(JumpKind.RAISE)]
            case tree.Break():
                return [Jump(JumpKind.BREAK)]
            case tree.Continue():
                return [Jump(JumpKind.CONTINUE)]
            case tree.Del(target=target):
                owner = buffer_owner(target)
                if owner is not None:
                    return self._hub.assignments.zero_by_hand(owner, node, leaves_none=True)
            case tree.Assert(test=test):
                return self._hub.expressions.lower(test)
        return []

    def _uncalled(self, value: tree.BaseExpression) -> Block:
        """`optimizer.zero_grad` on a line of its own."""
        match value:
            case tree.Attribute(value=receiver, attr=tree.Name(value=name)) if (
                name in ZEROING_METHODS
            ):
                subjects = self._hub.subjects(receiver)
                if isinstance(receiver, tree.Call) and not subjects:
                    return self._hub.emit(Kind.UNCALLED, (None,), value, receiver)
                return self._hub.emit(Kind.UNCALLED, subjects, value, receiver)
        return []


def _leaves(block: Block) -> bool:
    return bool(block) and isinstance(block[-1], Jump)
