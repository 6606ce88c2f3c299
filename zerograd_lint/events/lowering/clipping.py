"""Calls that clip gradients, apart from those that only measure them."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import dotted
from ...vocabulary.calls import CLIP_LIMITS, INFINITE


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
        case cst.Name() | cst.Attribute():
            return (dotted(limit) or "").rpartition(".")[2] in INFINITE
    return False
