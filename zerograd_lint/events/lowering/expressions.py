"""Expressions become their events, in the order they are evaluated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import libcst as cst

from ...program import Block, Branch, Emit, Loop, Ref, Suspend
from ...syntax.walk import children, inside
from ...vocabulary.buffers import GRADIENT_ATTRIBUTES
from ...vocabulary.calls import ZEROING_METHODS
from ..event import Kind, demand_buffer
from ..scopes.index import Scope, Value
from .buffers import buffer_owner

if TYPE_CHECKING:
    from .module import Lowering


class Expressions:
    def __init__(self, hub: Lowering) -> None:
        self._hub = hub

    def lower(
        self, node: cst.BaseExpression, *, made: Ref | None = None, quiet: bool = False
    ) -> Block:
        """The events of evaluating an expression. `quiet` leaves out reads of gradients."""
        match node:
            case cst.Integer() | cst.SimpleString() | cst.Float() | cst.Lambda():
                return []
            case cst.Name(value=name):
                home = self._hub.scope.home(name)
                if home is not None and name in home.functions:
                    self._hub.handed_out.add(home.functions[name].scope.id)
                return []
            case cst.Call():
                return self._hub.calls.lower(node, made, quiet)
            case cst.Attribute(value=owner, attr=cst.Name(value=name)) if (
                name in GRADIENT_ATTRIBUTES and not quiet
            ):
                refs = self._hub.subjects(owner)
                return self.lower(owner) + self._hub.emit(Kind.READ, refs, node, owner)
            case cst.Attribute(value=receiver, attr=cst.Name(value=name)) if (
                name in ZEROING_METHODS
            ):
                # Named but not called: whoever gets hold of it may call it at any time.
                zeros = self._hub.emit(Kind.ZERO, self._hub.subjects(receiver), node, receiver)
                self._hub.loose.extend(s for s in zeros if isinstance(s, Emit))
                return self.lower(receiver, quiet=quiet)
            case cst.Attribute(value=cst.Name(value=base), attr=cst.Name(value=name)) if (
                base == self._hub.scope.instance_name and self._hub.scope.within is not None
            ):
                method = self._hub.objects.method(self._hub.scope.within, name)
                if method is not None:
                    self._hub.handed_out.add(method.scope.id)
                return []
            case cst.Attribute(value=inner):
                lowered = self.lower(inner, quiet=quiet)
                self._use_buffer(inner, lowered)
                return lowered
            case cst.Subscript(value=inner):
                lowered = self._children(node, quiet)
                self._use_buffer(inner, lowered)
                return lowered
            case cst.BinaryOperation(left=left, right=right):
                lowered = self._children(node, quiet)
                self._use_buffer(left, lowered)
                self._use_buffer(right, lowered)
                return lowered
            case cst.Comparison(left=left, comparisons=[comparison]) if _is_none(comparison):
                return self.lower(left, quiet=True)
            case cst.IfExp(test=test, body=body, orelse=orelse):
                condition = self._hub.tests.condition(test, self._hub.scope)
                return [
                    *self.lower(test, quiet=quiet),
                    Branch(
                        condition,
                        self.lower(body, quiet=quiet),
                        self.lower(orelse, quiet=quiet),
                    ),
                ]
            case cst.BooleanOperation(left=left, operator=operator, right=right):
                second = self.lower(right, quiet=quiet)
                first = self.lower(left, quiet=quiet)
                if not second:
                    return first
                condition = self._hub.tests.condition(left, self._hub.scope)
                if isinstance(operator, cst.And):
                    return [*first, Branch(condition, second, [])]
                return [*first, Branch(condition, [], second)]
            case cst.ListComp(elt=elt) | cst.SetComp(elt=elt) | cst.GeneratorExp(elt=elt):
                return self._comprehension(node.for_in, [elt], quiet)
            case cst.DictComp(key=key, value=value):
                return self._comprehension(node.for_in, [key, value], quiet)
            case cst.NamedExpr(target=target, value=value):
                return self.lower(value, quiet=quiet) + self._hub.assignments.bind(target, value)
            case cst.Yield(value=value):
                lowered = self.lower(value) if isinstance(value, cst.BaseExpression) else []
                return [*lowered, Suspend()]
        return self._children(node, quiet)

    def _use_buffer(self, inner: cst.BaseExpression, lowered: Block) -> None:
        """Doing something with `w.grad` fails if it is None, merely passing it on does not."""
        if buffer_owner(inner) is not None:
            demand_buffer(lowered)

    def _children(self, node: cst.CSTNode, quiet: bool) -> Block:
        lowered: Block = []
        for child in children(node):
            if isinstance(child, cst.BaseExpression):
                lowered.extend(self.lower(child, quiet=quiet))
            else:
                lowered.extend(self._children(child, quiet))
        return lowered

    def _comprehension(
        self, clause: cst.CompFor, values: list[cst.BaseExpression], quiet: bool
    ) -> Block:
        before = self.lower(clause.iter, quiet=quiet)
        inner = self._hub.scope.inside_loop(loop_names(clause.target, clause.iter, self._hub.scope))
        with self._hub.within(replace(self._hub.frame, scope=inner)):
            body: Block = []
            if clause.inner_for_in is not None:
                body.extend(self._comprehension(clause.inner_for_in, values, quiet))
            else:
                for value in values:
                    body.extend(self.lower(value, quiet=quiet))
            for test in clause.ifs:
                condition = self._hub.tests.condition(test.test, self._hub.scope)
                body = [Branch(condition, body, [])]
            each = self.each(clause.target, clause.iter, None)
        return [*before, Loop(body, each=each)] if body else before

    def each(
        self, target: cst.BaseExpression, iterated: cst.BaseExpression, body: cst.CSTNode | None
    ) -> tuple[Ref, ...]:
        """The collections a loop visits one by one: by element, or by index."""
        found: set[Ref] = set()
        names = set()
        for index, name in _targets(target):
            names.add(name)
            found.update(self._hub.objects.elements(iterated, index, self._hub.scope))
        if body is not None:
            for part in inside(body):
                if (
                    isinstance(part, cst.Subscript)
                    and len(part.slice) == 1
                    and isinstance(part.slice[0].slice, cst.Index)
                    and isinstance(part.slice[0].slice.value, cst.Name)
                    and part.slice[0].slice.value.value in names
                    and not any(map(self._hub.inventory.is_tensor, self._hub.subjects(part.value)))
                ):
                    found.update(self._hub.subjects(part))
        return tuple(ref for ref in found if ref.scope != "import")


def _is_none(comparison: cst.ComparisonTarget) -> bool:
    return isinstance(comparison.comparator, cst.Name) and comparison.comparator.value == "None"


def _targets(
    target: cst.BaseExpression, index: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], str]]:
    """The names in a loop's target and where in the tuple each stands."""
    match target:
        case cst.Name(value=name):
            yield index, name
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for position, element in enumerate(elements):
                yield from _targets(element.value, (*index, position))


def loop_names(
    target: cst.BaseExpression, iterated: cst.BaseExpression, scope: Scope
) -> dict[str, list[Value | None]]:
    return {
        name: [Value(iterated, scope, iterated=True, index=index)]
        for index, name in _targets(target)
    }
