"""Gradients touched by hand: `p.grad = None`, `p.grad.zero_()`, `w -= lr * w.grad`."""

from __future__ import annotations

import libcst as cst

from ...syntax.literals import literal
from ...syntax.names import last_name
from ...syntax.walk import inside
from ...vocabulary.buffers import (
    FILLED_FACTORIES,
    GRADIENT_ATTRIBUTES,
    SAME_GRADIENT,
    UPDATES,
    ZERO_FACTORIES,
)
from ...vocabulary.unread_calls import IN_PLACE
from ..scopes.scope import Scope
from .fixed_values import fixed_value


def buffer_owner(node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The tensor whose `.grad` this is: `w` of `w.grad`, `w.grad.data`, `w.grad.detach()`."""
    while type(node) is not cst.Name:  # half of those that are asked about
        match node:
            case cst.Attribute(value=inner, attr=cst.Name(value=name)):
                if name in GRADIENT_ATTRIBUTES:
                    return strip_data(inner)
                if name not in SAME_GRADIENT:
                    return None
                node = inner
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value=name))):
                if name not in SAME_GRADIENT and not is_in_place(name):
                    return None
                node = inner
            case cst.Subscript(value=inner) | cst.NamedExpr(value=inner):
                node = inner
            case cst.Call(
                func=cst.Name(value="getattr"),
                args=[cst.Arg(value=owner), cst.Arg(value=name), *_],
            ):
                return strip_data(owner) if literal(name) in GRADIENT_ATTRIBUTES else None
            case _:
                return None
    return None


def is_part(node: cst.BaseExpression) -> bool:
    """Only rows or elements of a gradient: `w.grad[0]`, `w.grad[mask]`, but not `w.grad[:]`."""
    while type(node) is not cst.Name:
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
    return False


def _is_everything(index: cst.BaseSlice) -> bool:
    match index:
        case cst.Slice(lower=None, upper=None) | cst.Index(value=cst.Ellipsis()):
            return True
    return False


def strip_data(node: cst.BaseExpression) -> cst.BaseExpression:
    while type(node) is not cst.Name:
        match node:
            case cst.Attribute(value=inner, attr=cst.Name(value="data")):
                node = inner
            case cst.Call(func=cst.Attribute(value=inner, attr=cst.Name(value="detach"))):
                node = inner
            case _:
                return node
    return node


def is_in_place(name: str) -> bool:
    """`sign_`, a method that gives back the tensor it has changed; not `__class__`."""
    return name.endswith(IN_PLACE) and not name.startswith("_")


def is_zero(node: cst.BaseExpression, scope: Scope) -> bool:
    """`None`, `0`, a constant that is 0, `torch.zeros_like(…)`."""
    if isinstance(node, cst.Call):
        positional = [argument.value for argument in node.args if argument.keyword is None]
        name = last_name(node.func)
        filled = name in FILLED_FACTORIES and bool(positional)
        return name in ZERO_FACTORIES or (filled and is_zero(positional[-1], scope))
    fixed = fixed_value(node, scope)
    return fixed is not None and (fixed.value is None or fixed.value == 0)


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
