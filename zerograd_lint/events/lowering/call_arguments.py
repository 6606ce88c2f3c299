"""What the arguments of a call say about what it does to gradients."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import dotted
from ...syntax.walk import inside
from ...vocabulary.calls import CLIP_LIMITS, CLIPS_NOTHING, INFINITE
from ..objects.buffer_access import is_zero
from ..scopes.scope import Scope

_NUMBERS = (cst.Integer, cst.Float)


def only_measures(call: cst.Call) -> bool:
    """`clip_grad_norm_(parameters, float("inf"))` clips nothing: it is there for the norm."""
    limit = _limit(call)
    match limit:
        case cst.Call(
            func=cst.Name(value="float"), args=[cst.Arg(value=cst.SimpleString(value=v))]
        ):
            return v.strip("'\"").lower() in INFINITE
        case cst.Float() | cst.Integer():
            return limit.evaluated_value >= CLIPS_NOTHING
        case cst.Name() | cst.Attribute():
            return (dotted(limit) or "").rpartition(".")[2] in INFINITE
    return False


def leaves_nothing(call: cst.Call, scope: Scope) -> bool:
    """`clip_grad_value_(parameters, 0)`: gradients that are cut off at zero are cleared."""
    limit = _limit(call)
    return limit is not None and is_zero(limit, scope)


def limit_may_carry_scale(call: cst.Call, scope: Scope) -> bool:
    """`clip_grad_norm_(parameters, 1.0 * scaler.get_scale())`: the limit grows with the scale.

    By what a limit is multiplied is not asked: whatever is no number may be the scale.
    """
    limit = _limit(call)
    if isinstance(limit, cst.Name):
        value = scope.only_value(limit.value)
        limit = value.expression if value is not None else limit
    match limit:
        case cst.BinaryOperation(left=left, operator=cst.Multiply(), right=right):
            return not isinstance(left, _NUMBERS) or not isinstance(right, _NUMBERS)
    return False


def _limit(call: cst.Call) -> cst.BaseExpression | None:
    """Where gradients are cut off, as a call that clips is given it."""
    limit = None
    for position, argument in enumerate(call.args):
        keyword = argument.keyword.value if argument.keyword is not None else None
        if keyword in CLIP_LIMITS or (keyword is None and position == 1):
            limit = argument.value
    return limit


def takes_loss(call: cst.Call) -> bool:
    """A tensor is given a gradient, if anything; what is given a loss is no tensor."""
    first = call.args[0] if call.args else None
    if first is None or first.keyword is not None:
        return False
    return any(
        isinstance(part, cst.Name) and "loss" in part.value.lower()
        for part in (first.value, *inside(first.value))
    )


def keeps_buffers(call: cst.Call) -> bool:
    """`zero_grad(set_to_none=False)`, `zero_grad(False)`."""
    for position, argument in enumerate(call.args):
        keyword = argument.keyword.value if argument.keyword is not None else None
        if keyword == "set_to_none" or (keyword is None and position == 0):
            if isinstance(argument.value, cst.Name) and argument.value.value == "False":
                return True
    return False


def is_super(node: cst.BaseExpression) -> bool:
    """`super()`."""
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Name)
        and node.func.value == "super"
    )
