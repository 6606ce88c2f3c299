"""Calls and operators that write into the memory of a gradient, and what they leave in it."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import NamedTuple

import libcst as cst

from ...vocabulary.buffers import (
    ADDS,
    CHANGES_BUFFER,
    CLAMPS,
    CLEARS,
    CLEARS_ARGUMENT,
    CLEARS_IF_ZERO,
    COPIES,
    KEEPS_BUFFER,
    OVERWRITES,
    SAME_GRADIENT,
    SUBTRACTS,
)
from ...vocabulary.unread_calls import IN_PLACE
from ..scopes.scope import Scope
from .buffer_access import buffer_owner, is_part, is_zero


class Written(enum.Enum):
    """How a gradient is written: what becomes of what was in a gradient."""

    CLEARS = "it is all zero"
    REPLACES = "another one is in its place"
    ADDS = "another one is added to it"
    CHANGES_PART = "some of its elements are written"
    UNKNOWN = "it may be anything"


_MAY_CLEAR = (Written.CLEARS, Written.REPLACES, Written.UNKNOWN)


class Write(NamedTuple):
    """A call that writes into a gradient."""

    effect: Written
    owner: cst.BaseExpression
    """The tensor that the gradient belongs to."""
    given: cst.BaseExpression | None
    """What the call was given to write, if anything."""


def written(call: cst.Call, scope: Scope) -> Write | None:
    """The gradient that a call writes into; none where it is kept, changed as a whole."""
    found = _target(call)
    owner = buffer_owner(found[0]) if found is not None else None
    if found is None or owner is None:
        return None
    target, name, arguments = found
    effect = _effect(target, name, arguments, scope)
    given = arguments[0].value if arguments else None
    return Write(effect, owner, given) if effect is not None else None


def cancels(node: cst.AugAssign, scope: Scope) -> bool:
    """`w.grad -= w.grad`, `w.grad *= 0`: nothing is left of it."""
    if is_part(node.target):
        return False
    match node.operator:
        case cst.MultiplyAssign():
            return is_zero(node.value, scope)
        case cst.SubtractAssign():
            return _is_same(node.target, node.value)
        case cst.AddAssign():
            return _is_opposite(node.target, node.value)
    return False


def cleared_name(node: cst.Call | cst.AugAssign, scope: Scope) -> cst.Name | None:
    """The name of what is cleared or written over: `g` of `g.zero_()` and `g *= 0`."""
    match node:
        case cst.Call(func=cst.Attribute(value=cst.Name() as name, attr=cst.Name(value=method))):
            return name if _effect(name, method, node.args, scope) in _MAY_CLEAR else None
        case cst.AugAssign(target=cst.Name() as name):
            return name if cancels(node, scope) else None
    return None


def _target(call: cst.Call) -> tuple[cst.BaseExpression, str, Sequence[cst.Arg]] | None:
    """What a call writes into, the name that says how, and the rest that it is given."""
    arguments = call.args
    out = next((a for a in arguments if a.keyword is not None and a.keyword.value == "out"), None)
    if out is not None:
        return out.value, "", arguments
    match call.func:
        case cst.Attribute(value=receiver, attr=cst.Name(value=name)):
            if buffer_owner(receiver) is not None:
                return receiver, name, arguments
            if name in CHANGES_BUFFER and arguments:
                return arguments[0].value, name, arguments[1:]  # `nn.init.zeros_(w.grad)`
        case cst.Name(value=name) if name in CHANGES_BUFFER and arguments:
            return arguments[0].value, name, arguments[1:]
    return None


def _effect(
    target: cst.BaseExpression, name: str, arguments: Sequence[cst.Arg], scope: Scope
) -> Written | None:
    given = arguments[0].value if arguments else None
    if is_part(target):
        return Written.CHANGES_PART if name in CHANGES_BUFFER - SUBTRACTS - CLAMPS else None
    if name in CLEARS | CLEARS_ARGUMENT or _leaves_nothing(target, name, arguments, scope):
        return Written.CLEARS
    if name in OVERWRITES:
        return Written.REPLACES
    if name in ADDS:
        itself = given is not None and _is_same(target, given)
        return Written.UNKNOWN if itself else Written.ADDS
    if name in KEEPS_BUFFER | SAME_GRADIENT or not (name.endswith(IN_PLACE) or not name):
        return None
    return Written.UNKNOWN


def _leaves_nothing(
    target: cst.BaseExpression, name: str, arguments: Sequence[cst.Arg], scope: Scope
) -> bool:
    """`w.grad.mul_(0)`, `w.grad.sub_(w.grad)`, `w.grad.clamp_(0, 0)`."""
    given = [argument.value for argument in arguments]
    if not given:
        return False
    if name in CLAMPS:
        return len(given) > 1 and all(is_zero(bound, scope) for bound in given)
    return (
        (name in CLEARS_IF_ZERO and is_zero(given[0], scope))
        or (name in SUBTRACTS and _is_same(target, given[0]))
        or (name in ADDS and _is_opposite(target, given[0]))
    )


def _is_same(target: cst.BaseExpression, value: cst.BaseExpression) -> bool:
    """Both are the gradient of one tensor, as a whole, a copy of it, or one name."""
    match value:
        case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value=name))) if name in COPIES:
            value = inner
    one, other = buffer_owner(target) or target, buffer_owner(value) or value
    return not is_part(value) and one.deep_equals(other)


def _is_opposite(target: cst.BaseExpression, value: cst.BaseExpression) -> bool:
    match value:
        case cst.UnaryOperation(operator=cst.Minus(), expression=inner):
            return _is_same(target, inner)
    return False
