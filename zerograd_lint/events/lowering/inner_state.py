"""What objects keep inside: methods may change it, and a test that is a call may ask for it.

`if progress.is_due(): …` has another answer after `progress.advance()`, though no name was given
another object.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from ...program import Ref
from ..scopes.scope import Scope

_ASKS_FOR_KIND = frozenset({"isinstance", "issubclass", "hasattr", "callable", "type", "id"})
"""Functions whose answers no method of an object changes."""


def asked_inside(parts: Iterable[cst.CSTNode], scope: Scope) -> Iterator[Ref]:
    """What the calls in a test may look into: their receivers and their arguments."""
    for call in parts:
        if not isinstance(call, cst.Call):
            continue
        nodes = [argument.value for argument in call.args]
        if isinstance(call.func, cst.Attribute):
            nodes.append(call.func.value)
        elif isinstance(call.func, cst.Name) and call.func.value in _ASKS_FOR_KIND:
            continue
        for node in nodes:
            ref = _named(node, scope)
            if ref is not None:
                yield _state_of(ref)


def changed_inside(statement: cst.BaseExpression, scope: Scope) -> Ref | None:
    """What a call that is a statement may change: `progress.advance()`."""
    match statement:
        case cst.Call(func=cst.Attribute(value=receiver)):
            ref = _named(receiver, scope)
            return _state_of(ref) if ref is not None else None
    return None


def _state_of(ref: Ref) -> Ref:
    """What an object keeps inside, as a thing of its own: that it is there stays as it was."""
    return ref._replace(name=f"{ref.name}()")


def _named(node: cst.BaseExpression, scope: Scope) -> Ref | None:
    """The object of a plain name, or of an attribute of the instance."""
    within = scope.within
    match node:
        case cst.Name(value=name):
            if within is not None and scope.is_instance(node):
                return within.instance
            home = scope.home(name)
            return Ref(home.id, name) if home is not None else None
        case cst.Attribute(value=base, attr=cst.Name(value=attribute)):
            if within is not None and scope.is_instance(base):
                return within.instance.child(attribute)
    return None
