"""Tests whether the norm of gradients is finite."""

from __future__ import annotations

from typing import NamedTuple

import libcst as cst

from ...syntax.names import last_name
from ...vocabulary.calls import EFFECTS, Effect
from ...vocabulary.finiteness import FINITE, NOT_FINITE, SAME_ANSWER
from ..scopes.scope import Scope

_MAX_DEPTH = 6


class NotFinite(NamedTuple):
    """The branches of a test in which gradients are not finite."""

    then: bool = False
    orelse: bool = False


_NEITHER = NotFinite()


def not_finite(node: cst.BaseExpression, scope: Scope, depth: int = 0) -> NotFinite:
    """`if not torch.isfinite(norm):`, `if torch.isnan(norm) or torch.isinf(norm):`."""
    if depth > _MAX_DEPTH:
        return _NEITHER
    match node:
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            found = not_finite(inner, scope, depth + 1)
            return NotFinite(found.orelse, found.then)
        case cst.BooleanOperation(left=left, operator=operator, right=right):
            one, other = (not_finite(part, scope, depth + 1) for part in (left, right))
            if isinstance(operator, cst.Or):
                return NotFinite(one.then and other.then, one.orelse or other.orelse)
            return NotFinite(one.then or other.then, one.orelse and other.orelse)
        case cst.Name(value=name):
            value = scope.only_value(name)
            return not_finite(value.expression, value.scope, depth + 1) if value else _NEITHER
        case cst.Call(func=func, args=args):
            return _called(func, [argument.value for argument in args], scope, depth)
    return _NEITHER


def _called(
    func: cst.BaseExpression, args: list[cst.BaseExpression], scope: Scope, depth: int
) -> NotFinite:
    name = last_name(func)
    receiver = func.value if isinstance(func, cst.Attribute) else None
    if name in SAME_ANSWER:
        inner = args[0] if args else receiver
        return not_finite(inner, scope, depth + 1) if inner is not None else _NEITHER
    if name not in FINITE and name not in NOT_FINITE:
        return _NEITHER
    tested = args[0] if args else receiver
    if tested is None or not _is_of_gradients(tested, scope):
        return _NEITHER
    return NotFinite(name in NOT_FINITE, name in FINITE)


def _is_of_gradients(tested: cst.BaseExpression, scope: Scope) -> bool:
    """The norm that a clip gives back: `norm`, `norm.item()`."""
    match tested:
        case cst.Call(func=cst.Attribute(value=name), args=[]):
            pass
        case name:
            pass
    return isinstance(name, cst.Name) and any(
        value is not None
        and isinstance(value.expression, cst.Call)
        and EFFECTS.get(last_name(value.expression.func), Effect.NOTHING) & Effect.CLIP
        for value in scope.values(name.value)
    )
