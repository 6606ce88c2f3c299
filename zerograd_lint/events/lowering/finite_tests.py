"""Tests of the norm of gradients: whether it is finite, and whether it is too large."""

from __future__ import annotations

from typing import NamedTuple

import libcst as cst

from ...syntax.names import last_name
from ...vocabulary.calls import EFFECTS, Effect
from ...vocabulary.finiteness import FINITE, NOT_FINITE, SAME_ANSWER
from ..event import Spoil
from ..scopes.scope import Scope

_MAX_DEPTH = 6


class AskedBranches(NamedTuple):
    """The branches of a test in which gradients are found to be what it asks for."""

    then: bool = False
    orelse: bool = False


_NEITHER = AskedBranches()


def not_finite(node: cst.BaseExpression, scope: Scope, depth: int = 0) -> AskedBranches:
    """`if not torch.isfinite(norm):`, `if torch.isnan(norm) or torch.isinf(norm):`."""
    if depth > _MAX_DEPTH:
        return _NEITHER
    match node:
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            found = not_finite(inner, scope, depth + 1)
            return AskedBranches(found.orelse, found.then)
        case cst.BooleanOperation(left=left, operator=operator, right=right):
            one, other = (not_finite(part, scope, depth + 1) for part in (left, right))
            if isinstance(operator, cst.Or):
                return AskedBranches(one.then and other.then, one.orelse or other.orelse)
            return AskedBranches(one.then or other.then, one.orelse and other.orelse)
        case cst.Name(value=name):
            value = scope.only_value(name)
            return not_finite(value.expression, value.scope, depth + 1) if value else _NEITHER
        case cst.Call(func=func, args=args):
            return _called(func, [argument.value for argument in args], scope, depth)
    return _NEITHER


def _called(
    func: cst.BaseExpression, args: list[cst.BaseExpression], scope: Scope, depth: int
) -> AskedBranches:
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
    return AskedBranches(name in NOT_FINITE, name in FINITE)


def too_large(node: cst.BaseExpression, scope: Scope) -> AskedBranches:
    """The branches in which the norm of gradients is above a limit: `if norm > limit:`."""
    match node:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator, right)]):
            above = isinstance(operator, cst.GreaterThan | cst.GreaterThanEqual)
            below = isinstance(operator, cst.LessThan | cst.LessThanEqual)
            if _is_of_gradients(left, scope):
                return AskedBranches(above, below)
            if _is_of_gradients(right, scope):
                return AskedBranches(below, above)
    return _NEITHER


def spoilt_branches(node: cst.BaseExpression, scope: Scope) -> tuple[AskedBranches, Spoil]:
    """The branches of a test in which gradients are not finite, or too large, and what it found."""
    found, large = not_finite(node, scope), too_large(node, scope)
    if not any(found) and not any(large):
        return _NEITHER, Spoil()
    branches = AskedBranches(found.then or large.then, found.orelse or large.orelse)
    return branches, Spoil(finite=not any(found), asks_more=_asks_more(node, scope))


def _asks_more(node: cst.BaseExpression, scope: Scope) -> bool:
    """Whether a test is about something else, too: `if not amp and not torch.isfinite(norm):`."""
    match node:
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            return _asks_more(inner, scope)
        case cst.BooleanOperation(left=left, right=right):
            return _asks_more(left, scope) or _asks_more(right, scope)
    return not any(not_finite(node, scope)) and not any(too_large(node, scope))


def _is_of_gradients(tested: cst.BaseExpression, scope: Scope) -> bool:
    """The norm that a clip gives back: `norm`, `norm.item()`."""
    name = _without_method(tested)
    return isinstance(name, cst.Name) and any(
        value is not None and _is_clip(_without_method(value.expression))
        for value in scope.values(name.value)
    )


def _is_clip(node: cst.BaseExpression) -> bool:
    if not isinstance(node, cst.Call):
        return False
    return bool(EFFECTS.get(last_name(node.func), Effect.NOTHING) & Effect.CLIP)


def _without_method(node: cst.BaseExpression) -> cst.BaseExpression:
    """`norm` of `norm.item()`."""
    match node:
        case cst.Call(func=cst.Attribute(value=inner), args=[]):
            return inner
    return node
