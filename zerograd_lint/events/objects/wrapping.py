"""Calls and attributes that give back the object they were given: wrapped, moved or listed."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import last_name
from ...vocabulary.wrappers import SAME_EACH, SAME_FUNCTIONS, SAME_METHODS, SAME_SECOND, SWITCHES


def wrapped(node: cst.Call) -> cst.BaseExpression | None:
    """The object a call merely wraps, moves or lists: `DDP(net)`, `net.to(device)`."""
    match node.func:
        case cst.Attribute(value=base, attr=cst.Name(value=name)) if name in SAME_METHODS:
            # `self.train(batch)` is a method of one's own.
            return base if name not in SWITCHES or all(map(_is_switch, node.args)) else None
    name = last_name(node.func)
    positional = [a.value for a in node.args if a.keyword is None and a.star == ""]
    if name in SAME_SECOND and len(positional) > 1:
        return positional[1]
    if name in SAME_FUNCTIONS and len(positional) >= 1:
        if name in SAME_EACH and len(positional) > 1:
            return None
        return positional[0]
    return None


def _is_switch(argument: cst.Arg) -> bool:
    value = argument.value
    return isinstance(value, cst.Name) and value.value in ("True", "False")
