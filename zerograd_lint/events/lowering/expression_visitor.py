"""Expressions become their events, in the order they are evaluated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from ...program import Block, Branch, Emit, Jump, JumpKind, Loop, Ref, Suspend
from ...syntax.names import last_name
from ...syntax.visitor import Visitor
from ...syntax.walk import children
from ...vocabulary.buffers import GRADIENT_ATTRIBUTES, MEASURES
from ...vocabulary.calls import BACKWARD_METHODS, ZEROING_METHODS
from ...vocabulary.finiteness import ASSERTS, FINITENESS
from ..event import Ask, HandOver, Read, Uncalled
from ..objects.buffer_access import buffer_owner, buffers_in, is_in_place, updated_in_place
from ..objects.gradient_writes import Written, written
from ..objects.resolver import Resolver
from ..scopes.loop_names import loop_names
from ..site import Guard
from .by_hand import ByHand
from .call_effects import CallEffects
from .condition_visitor import ConditionVisitor
from .emitter import Emitter
from .handed_functions import HandedFunctions
from .loop_variables import LoopVariables
from .run_ends import RunEnds


class ExpressionVisitor(Visitor):
    """Lowers expressions.

    Its methods are told whether reads of gradients become events: inside an update by hand the
    update itself stands for them.
    """

    def __init__(
        self,
        resolver: Resolver,
        emitter: Emitter,
        calls: CallEffects,
        by_hand: ByHand,
        conditions: ConditionVisitor,
        loops: LoopVariables,
        handed: HandedFunctions,
    ) -> None:
        self._resolver = resolver
        self._emitter = emitter
        self._calls = calls
        self._by_hand = by_hand
        self._conditions = conditions
        self._loops = loops
        self._handed = handed
        self._run_ends = RunEnds(resolver.known_calls)

    def lower(self, node: cst.BaseExpression, *, reads: bool = True) -> Block:
        """The events of evaluating an expression."""
        method = self._methods.get(type(node))
        lowered: Block = method(self, node, reads) if method else self.visit_other(node, reads)
        return lowered

    def lower_assigned(self, node: cst.BaseExpression, target: Ref | None, *, reads: bool) -> Block:
        """The same for an expression whose value is given to a target."""
        if isinstance(node, cst.Call):
            return self._handed.without_generators(self.visit_Call(node, reads, target))
        return self.lower(node, reads=reads)

    def visit_other(self, node: cst.CSTNode, reads: bool) -> Block:
        """All parts, one after the other."""
        lowered: Block = []
        for child in children(node):
            lowered += self.visit(child, reads)
        return lowered

    def _visit_nothing(self, node: cst.CSTNode, reads: bool) -> Block:
        return []

    visit_Integer = visit_Float = visit_SimpleString = _visit_nothing

    def visit_Lambda(self, node: cst.Lambda, reads: bool) -> Block:
        self._handed.add_lambda(node)
        return []

    # --- names and attributes ---------------------------------------------------------------

    def visit_Name(self, node: cst.Name, reads: bool) -> Block:
        home = self._emitter.scope.home(node.value)
        if home is not None and node.value in home.functions:
            self._handed.add(home.functions[node.value])
        return []

    def visit_Attribute(self, node: cst.Attribute, reads: bool) -> Block:
        owner, name = node.value, node.attr.value
        scope = self._emitter.scope
        if name in GRADIENT_ATTRIBUTES and reads:
            refs = self._resolver.objects.subjects(owner, scope)
            return self.lower(owner) + self._emitter.emit(Read(), refs, node, owner)
        if name in BACKWARD_METHODS:
            # `map(torch.Tensor.backward, losses)`: a backward may start wherever it is handed to.
            return self.lower(owner) + self._emitter.emit(HandOver(), (None,), node, owner)
        if name in ZEROING_METHODS:
            return self.lower(owner, reads=reads) + self._named_zeroing(node)
        if isinstance(owner, cst.Name) and owner.value == scope.instance_name and scope.within:
            method = self._resolver.classes.method(scope.within, name)
            if method is not None:
                self._handed.add(method)
            return []
        lowered = self.lower(owner, reads=reads)
        _need_buffer(owner, lowered)
        return lowered

    def _named_zeroing(self, node: cst.Attribute) -> Block:
        """`optimizer.zero_grad`, not called."""
        receiver = node.value
        refs = self._resolver.objects.subjects(receiver, self._emitter.scope)
        if not self._emitter.is_unused(node):
            # Whatever gets hold of it may call it at any time.
            self._emitter.defer_zero(refs, node, receiver)
            return []
        unknown = isinstance(receiver, cst.Call) and not refs
        return self._emitter.emit(Uncalled(), (None,) if unknown else refs, node, receiver)

    def visit_Subscript(self, node: cst.Subscript, reads: bool) -> Block:
        lowered = self.visit_other(node, reads)
        _need_buffer(node.value, lowered)
        return lowered

    # --- operations -------------------------------------------------------------------------

    def visit_BinaryOperation(self, node: cst.BinaryOperation, reads: bool) -> Block:
        lowered = self.visit_other(node, reads)
        _need_buffer(node.left, lowered)
        _need_buffer(node.right, lowered)
        return lowered

    def visit_Comparison(self, node: cst.Comparison, reads: bool) -> Block:
        match node.comparisons:
            case [cst.ComparisonTarget(comparator=cst.Name(value="None"))]:
                return self.lower(node.left, reads=False) + self._asked(node)
        return self.visit_other(node, reads)

    def _asked(self, node: cst.Comparison) -> Block:
        """`p.grad is None`, `g is None`: of one gradient, which may be asked for all of them."""
        scope = self._emitter.scope
        of_gradient = bool(buffers_in(node.left))
        if not of_gradient and isinstance(node.left, cst.Name):
            home = scope.home(node.left.value)
            of_gradient = home is not None and node.left.value not in home.parameters
        if not of_gradient or not self._resolver.gradient_names.are_mentioned:
            return []
        return self._emitter.emit(Ask(), (None,), node, node.left)

    def visit_IfExp(self, node: cst.IfExp, reads: bool) -> Block:
        condition = self._conditions.condition(node.test, self._emitter.scope)
        test = self.lower(node.test, reads=reads)
        with self._emitter.conditional(condition):
            then, orelse = self.lower(node.body, reads=reads), self.lower(node.orelse, reads=reads)
        return [*test, Branch(condition, then, orelse)]

    def visit_BooleanOperation(self, node: cst.BooleanOperation, reads: bool) -> Block:
        condition = self._conditions.condition(node.left, self._emitter.scope)
        with self._emitter.conditional(condition):
            second = self.lower(node.right, reads=reads)
        first = self.lower(node.left, reads=reads)
        if not second:
            return first
        if isinstance(node.operator, cst.And):
            return [*first, Branch(condition, second, [])]
        return [*first, Branch(condition, [], second)]

    def visit_NamedExpr(self, node: cst.NamedExpr, reads: bool) -> Block:
        return self.lower(node.value, reads=reads) + self._by_hand.bind(node.target, node.value)

    def visit_Yield(self, node: cst.Yield, reads: bool) -> Block:
        match node.value:
            case cst.From(item=item):
                return self._handed.passed_on(self.lower(item))
            case cst.BaseExpression() as value:
                return [*self.lower(value), Suspend()]
        return [Suspend()]

    # --- calls ------------------------------------------------------------------------------

    def visit_Call(self, node: cst.Call, reads: bool, target: Ref | None = None) -> Block:
        """Receiver, then arguments, then the call itself; `target` gets its result."""
        write = written(node, self._emitter.scope)
        if write is not None:
            before = self._changed_before(node.func)
            before += self._arguments(node, reads) if write.effect is Written.ADDS else []
            return before + self._by_hand.written(write, node)
        update = self._updated_in_place(node)
        reads = reads and not update
        lowered: Block = []
        if isinstance(node.func, cst.Attribute):
            lowered += self.lower(node.func.value, reads=reads)
            if lowered and buffers_in(node.func.value):
                _need_buffers(lowered)
        elif not isinstance(node.func, cst.Name):
            lowered += self.lower(node.func, reads=reads)
        lowered += self._arguments(node, reads)
        _say_purpose(lowered, last_name(node.func))
        lowered += self._by_hand.cleared_by_name(node)
        self._by_hand.note_freezing(node.func, node.args[0].value if node.args else None)
        lowered += update or self._calls.effect(node, target)
        if self._run_ends.ends(node, self._emitter.scope) and self._emitter.is_unused(node):
            lowered.append(Jump(JumpKind.EXIT))
        return lowered

    def _changed_before(self, func: cst.BaseExpression) -> Block:
        """`w.grad.zero_().add_(g)`: it is cleared before it is written into again."""
        match func:
            case cst.Attribute(value=cst.Call(func=cst.Attribute(attr=method)) as inner):
                return self.lower(inner) if is_in_place(method.value) else []
        return []

    def _arguments(self, node: cst.Call, reads: bool) -> Block:
        given = [a.value for a in node.args if not self._handed.runs_in_step(a.value, node)]
        return [item for value in given for item in self.lower(value, reads=reads)]

    def _updated_in_place(self, node: cst.Call) -> Block:
        changed = updated_in_place(node)
        if changed is not None:
            for argument in node.args:
                update = self._by_hand.consumed(changed, argument.value)
                if update:
                    return update
        return []

    # --- comprehensions ---------------------------------------------------------------------

    def visit_ListComp(
        self, node: cst.ListComp | cst.SetComp | cst.GeneratorExp, reads: bool
    ) -> Block:
        return self._comprehension(node.for_in, [node.elt], reads)

    visit_SetComp = visit_GeneratorExp = visit_ListComp

    def visit_DictComp(self, node: cst.DictComp, reads: bool) -> Block:
        return self._comprehension(node.for_in, [node.key, node.value], reads)

    def _comprehension(
        self, clause: cst.CompFor, values: list[cst.BaseExpression], reads: bool
    ) -> Block:
        before = self.lower(clause.iter, reads=reads)
        frame = self._emitter.frame
        inner = frame.scope.inside_loop(loop_names(clause.target, clause.iter, frame.scope))
        tests = [self._conditions.condition(test.test, inner) for test in clause.ifs]
        guards = (*frame.guards, *(Guard.of(test, True) for test in tests))
        conditional = frame.conditional or bool(tests)
        inside = replace(frame, scope=inner, guards=guards, conditional=conditional)
        with self._emitter.within(inside):
            body: Block = []
            if clause.inner_for_in is not None:
                body += self._comprehension(clause.inner_for_in, values, reads)
            else:
                for value in values:
                    body += self.lower(value, reads=reads)
            for test in tests:
                body = [Branch(test, body, [])]
            each = self._loops.collections_walked(clause.target, clause.iter, None)
        return [*before, Loop(body, each=each)] if body else before


def _need_buffer(inner: cst.BaseExpression, lowered: Block) -> None:
    """Doing something with `w.grad` fails if it is None, merely passing it on does not."""
    if lowered and buffer_owner(inner) is not None:
        _need_buffers(lowered)


def _need_buffers(lowered: Block) -> None:
    """What reads a gradient in these statements also fails if there is none."""
    for read in _reads(lowered):
        read.needs_buffer = True


def _say_purpose(lowered: Block, method: str | None) -> None:
    """Say of what reads gradients what the call around it does with them."""
    for read in _reads(lowered):
        if method in MEASURES:
            read.measures = True
        elif method in FINITENESS or (method or "").startswith(ASSERTS):
            read.measures, read.only_asked = False, True


def only_asks(lowered: Block) -> Block:
    """Say of what reads gradients that only an assertion does."""
    _say_purpose(lowered, ASSERTS)
    return lowered


def _reads(lowered: Block) -> Iterator[Read]:
    for statement in lowered:
        if isinstance(statement, Emit) and isinstance(statement.event, Read):
            yield statement.event
