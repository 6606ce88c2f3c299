"""What a method of a class makes and gives back: `self.net = self.build_net()`."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import dotted
from ...syntax.walk import everything_in
from ..scopes.scope import Definition, Scope
from .given_back import binding
from .makers import Makers
from .separate import TRAINABLE


def built(call: cst.Call, scope: Scope, makers: Makers) -> list[tuple[cst.Call, Scope]] | None:
    """The constructors behind a call of an own method; None where it may give anything."""
    match call.func:
        case cst.Attribute(value=receiver, attr=cst.Name(value=name)) if scope.within is not None:
            method = scope.within.methods.get(name) if scope.is_instance(receiver) else None
        case _:
            return None
    if method is None or method.decorators or method.nodes(cst.Yield):
        return None
    found = [_constructor(node.value, method, makers) for node in method.nodes(cst.Return)]
    made = [(node, method.scope) for node in found if node is not None]
    return made if made and len(made) == len(found) else None


def _constructor(
    node: cst.BaseExpression | None, method: Definition, makers: Makers
) -> cst.Call | None:
    """The call that makes what is returned, by itself or under a local name."""
    scope = method.scope
    if isinstance(node, cst.Name):
        value = binding(scope.assigned.get(node.value, []), node.value)
        is_whole = value is not None and not (value.iterated or value.index)
        if value is None or not is_whole or not _is_kept_nowhere(node.value, method):
            return None
        node = value.expression
    while isinstance(node, cst.Call):
        match node.func:
            case cst.Attribute(value=cst.Call() as inner):
                node = inner  # `Net(4).to(device)`
            case _:
                break
    if not isinstance(node, cst.Call):
        return None
    root = (dotted(node.func) or scope.instance_name or "").partition(".")[0]
    home = scope.home(root)
    is_free = root != scope.instance_name and (home is None or root in home.classes)
    return node if is_free or makers.thing_made(node, scope) in TRAINABLE else None


def _is_kept_nowhere(name: str, method: Definition) -> bool:
    """Whether a local object is made, asked for what it has, and given back; no more."""
    uses = allowed = 0
    for node in everything_in(method.node):
        match node:
            case cst.Name(value=spelt) if spelt == name:
                uses += 1
            case (
                cst.Return(value=cst.Name(value=spelt))
                | cst.AssignTarget(target=cst.Name(value=spelt))
                | cst.Attribute(value=cst.Name(value=spelt))
            ) if spelt == name:
                allowed += 1
    return uses == allowed
