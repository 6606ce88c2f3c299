"""Calls and attributes that give back the object they were given: wrapped, moved or listed."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import last_name
from ...vocabulary.wrappers import (
    CHANGES_BACKWARD,
    GIVEN_BY_NAME,
    SAME_EACH,
    SAME_FUNCTIONS,
    SAME_METHODS,
    SAME_SECOND,
    SWITCHES,
)


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


def gives_back_each(call: cst.Call) -> bool:
    """Whether the parts of what a call gives are what it was given: `accelerator.prepare(a, b)`."""
    name = last_name(call.func)
    if name in GIVEN_BY_NAME and any(
        argument.keyword is not None and argument.keyword.value in CHANGES_BACKWARD
        for argument in call.args
    ):
        return False
    return name in SAME_FUNCTIONS


def given_for(call: cst.Call, position: int) -> cst.BaseExpression | None:
    """The argument behind one part of what such a call gives, by its place or by its name."""
    positional = [a.value for a in call.args if a.keyword is None and a.star == ""]
    if position < len(positional):
        return positional[position]
    names = GIVEN_BY_NAME.get(last_name(call.func), ())
    wanted = names[position] if position < len(names) else None
    named = [a.value for a in call.args if a.keyword is not None and a.keyword.value == wanted]
    return named[0] if named else None


def _is_switch(argument: cst.Arg) -> bool:
    value = argument.value
    return isinstance(value, cst.Name) and value.value in ("True", "False")
