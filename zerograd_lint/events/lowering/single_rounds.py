"""Loops that are written as such, and go round once."""

from __future__ import annotations

import operator
from collections.abc import Callable

import libcst as cst

from ...syntax.literals import literal
from ...syntax.names import last_name
from ...syntax.walk import inside
from ..scopes.scope import Scope
from .lengths import at_most

_OPPOSITE = {"True": "False", "False": "True"}
_COMPARE: dict[type[cst.BaseCompOp], Callable[[int, int], bool]] = {
    cst.Equal: operator.eq,
    cst.GreaterThan: operator.gt,
    cst.GreaterThanEqual: operator.ge,
}


def runs_once(iterated: cst.BaseExpression, scope: Scope) -> bool:
    """`for epoch in range(1):`, `for batch in [batch]:`, `for batch in batches[:1]:`."""
    return at_most(iterated, scope) == 1


def stops_itself(node: cst.While) -> bool:
    """`while again: again = False`, which nothing in between can prevent."""
    match node.test:
        case cst.Name(value=name):
            goes_on = "True"
        case cst.UnaryOperation(operator=cst.Not(), expression=cst.Name(value=name)):
            goes_on = "False"
        case _:
            return False
    given = [
        small.value.value
        for line in node.body.body
        if isinstance(line, cst.SimpleStatementLine)
        for small in line.body
        if isinstance(small, cst.Assign) and isinstance(small.value, cst.Name)
        for target in small.targets
        if isinstance(target.target, cst.Name) and target.target.value == name
    ]
    anywhere = [
        part
        for part in inside(node.body)
        if isinstance(part, cst.AssignTarget)
        and isinstance(part.target, cst.Name)
        and part.target.value == name
    ]
    return given == [_OPPOSITE[goes_on]] and len(anywhere) == 1


def left_in_second_round(node: cst.For) -> bool:
    """`for i, batch in enumerate(batches): if i >= 1: break`."""
    first = node.body.body[0]
    match first:
        case cst.If(
            test=cst.Comparison(
                left=cst.Name(value=name),
                comparisons=[cst.ComparisonTarget(operator=sign, comparator=number)],
            ),
            orelse=None,
        ):
            compare = _COMPARE.get(type(sign))
            limit = literal(number)
            if compare is None or not isinstance(limit, int) or not _counts(node, name):
                return False
            leaves = any(isinstance(part, cst.Break | cst.Return) for part in inside(first.body))
            return leaves and compare(1, limit) and not compare(0, limit)
    return False


def _counts(node: cst.For, name: str) -> bool:
    """Whether a variable of a loop is 0 in its first round and 1 in its second."""
    match node.iter, node.target:
        case cst.Call(args=[_]) as call, cst.Tuple(
            elements=[cst.Element(value=cst.Name(value=counter)), *_]
        ):
            return counter == name and last_name(call.func) == "enumerate"
        case cst.Call(args=[_]) as call, cst.Name(value=counter):
            return counter == name and last_name(call.func) == "range"
    return False
