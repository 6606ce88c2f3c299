"""What the arguments of a call say about what it does to gradients."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import dotted
from ...syntax.walk import inside
from ...vocabulary.calls import CLIP_LIMITS, CLIPS_NOTHING, INFINITE


def only_measures(call: cst.Call) -> bool:
    """`clip_grad_norm_(parameters, float("inf"))` clips nothing: it is there for the norm."""
    limit = None
    for position, argument in enumerate(call.args):
        keyword = argument.keyword.value if argument.keyword is not None else None
        if keyword in CLIP_LIMITS or (keyword is None and position == 1):
            limit = argument.value
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
