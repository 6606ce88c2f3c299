"""Gradients that are kept as they are: whose they are, if nothing tells them from earlier ones."""

from __future__ import annotations

import libcst as cst

from ...syntax.walk import inside
from ..scopes.scope import Scope
from .buffer_access import buffer_owner, buffers_in

_SUMS = (cst.Add, cst.Subtract)


def kept_owner(value: cst.BaseExpression, scope: Scope) -> cst.BaseExpression | None:
    """The tensor whose gradient is kept: `x` of `x.grad.abs()`, also under a name of its own."""
    if isinstance(value, cst.Name):
        named = scope.only_value(value.value)
        if named is None or named.iterated or named.index:
            return None
        value = named.expression
    owners = buffers_in(value)
    parts = [value, *inside(value)]
    if len(owners) != 1 or any(map(_tells_apart, parts)):
        return None
    return None if any(map(_is_one_of_many, parts)) else owners[0]


def _tells_apart(node: cst.CSTNode) -> bool:
    """What may take earlier gradients away again: `x.grad - before`."""
    if isinstance(node, cst.BinaryOperation):
        return isinstance(node.operator, _SUMS)
    return isinstance(node, cst.Comparison | cst.IfExp)


def _is_one_of_many(node: cst.CSTNode) -> bool:
    """`x.grad[i]`: the row of one sample, to which the losses of others may add nothing."""
    if not isinstance(node, cst.Subscript) or buffer_owner(node) is None:
        return False
    return any(
        isinstance(part, cst.Name) for element in node.slice for part in (element, *inside(element))
    )
