"""Gradients touched by hand: `p.grad = None`, `p.grad.zero_()`, `w -= lr * w.grad`."""

from __future__ import annotations

import libcst as cst

from ...syntax.walk import inside
from ...vocabulary.buffers import (
    ADDS,
    CHANGES_BUFFER,
    CLEARS,
    CLEARS_ARGUMENT,
    CLEARS_IF_ZERO,
    GRADIENT_ATTRIBUTES,
    OVERWRITES,
    SAME_GRADIENT,
    UPDATES,
    ZERO_FACTORIES,
)


def buffer_owner(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The tensor whose `.grad` this is: `w` of `w.grad`, `w.grad.data`, `w.grad.detach()`."""
    while type(node) is not cst.Name:  # half of those that are asked about
        match node:
            case cst.Attribute(value=owner, attr=cst.Name(value=name)) if (
                name in GRADIENT_ATTRIBUTES
            ):
                return strip_data(owner)
            case cst.Attribute(value=inner, attr=cst.Name(value=name)) if name in SAME_GRADIENT:
                node = inner
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value=name))) if (
                name in SAME_GRADIENT
            ):
                node = inner
            case cst.Subscript(value=inner):
                node = inner
            case _:
                return None
    return None


def is_part(node: cst.BaseExpression) -> bool:
    """Only rows or elements of a gradient: `w.grad[0]`, `w.grad[mask]`, but not `w.grad[:]`."""
    while True:
        match node:
            case cst.Subscript(value=inner):
                if not all(_is_everything(element.slice) for element in node.slice):
                    return True
                node = inner
            case cst.Attribute(value=inner, attr=cst.Name(value=name)) if name in SAME_GRADIENT:
                node = inner
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value=name))) if (
                name in SAME_GRADIENT
            ):
                node = inner
            case _:
                return False


def _is_everything(index: cst.BaseSlice) -> bool:
    match index:
        case cst.Slice(lower=None, upper=None) | cst.Index(value=cst.Ellipsis()):
            return True
    return False


def strip_data(node: cst.BaseExpression) -> cst.BaseExpression:
    while True:
        match node:
            case cst.Attribute(value=inner, attr=cst.Name(value="data")):
                node = inner
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value="detach"))):
                node = inner
            case _:
                return node


def is_zero(node: cst.BaseExpression) -> bool:
    """`None`, `0`, `torch.zeros_like(…)`."""
    match node:
        case cst.Name(value="None"):
            return True
        case cst.Integer(value="0") | cst.Float(value="0." | "0.0"):
            return True
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))) if name in ZERO_FACTORIES:
            return True
        case cst.Call(func=cst.Name(value=name)) if name in ZERO_FACTORIES:
            return True
    return False


def partly_changed_in_place(call: cst.Call) -> cst.BaseExpression | None:
    """The tensor of whose gradient a call changes a part: `w.grad[0].zero_()`."""
    match call.func:
        case cst.Attribute(value=target, attr=cst.Name(value=name)) if name in CHANGES_BUFFER:
            changed = call.args[0].value if name in CLEARS_ARGUMENT and call.args else target
            return buffer_owner(changed) if is_part(changed) else None
    return None


def cleared_in_place(call: cst.Call) -> cst.BaseExpression | None:
    """The tensor whose gradient a call sets to zero: `w.grad.zero_()`, `w.grad.fill_(0)`."""
    match call.func:
        case cst.Attribute(value=target, attr=cst.Name(value=name)) if name in CLEARS:
            return buffer_owner(target)
        case cst.Attribute(value=target, attr=cst.Name(value=name)) if name in CLEARS_IF_ZERO:
            if call.args and is_zero(call.args[0].value):
                return buffer_owner(target)
            return None
        case cst.Attribute(attr=cst.Name(value=name)) if name in CLEARS_ARGUMENT and call.args:
            return buffer_owner(call.args[0].value)
    return None


def overwritten_in_place(call: cst.Call) -> cst.BaseExpression | None:
    """The tensor whose gradient a call replaces: `w.grad.copy_(g)`, `w.grad.fill_(0.1)`."""
    match call.func:
        case cst.Attribute(value=target, attr=cst.Name(value=name)) if name in OVERWRITES:
            return buffer_owner(target)
    return None


def added_in_place(call: cst.Call) -> cst.BaseExpression | None:
    """The tensor to whose gradient a call adds: `w.grad.add_(g)`."""
    match call.func:
        case cst.Attribute(value=target, attr=cst.Name(value=name)) if name in ADDS:
            return buffer_owner(target) if not is_part(target) else None
    return None


def updated_in_place(call: cst.Call) -> cst.BaseExpression | None:
    """The tensor a call changes in place: `w` of `w.data.add_(…)`."""
    match call.func:
        case cst.Attribute(value=target, attr=cst.Name(value=name)) if name in UPDATES:
            if buffer_owner(target) is None:
                return strip_data(target)
    return None


def buffers_in(node: cst.CSTNode) -> list[cst.BaseExpression]:
    """The tensors whose `.grad` an expression mentions."""
    found = []
    for part in (node, *inside(node)):
        if type(part) is cst.Attribute and part.attr.value in GRADIENT_ATTRIBUTES:
            found.append(strip_data(part.value))
    return found
