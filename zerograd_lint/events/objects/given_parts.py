"""What an argument hands over: itself, and what it is put together from."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...program import Ref
from ..scopes.scope import Scope
from .resolve import Objects


def objects_given(call: cst.Call, scope: Scope, objects: Objects) -> list[Ref]:
    """The objects that a call is given, by themselves or in what is made for it."""
    parts = (part for argument in call.args for part in _with_parts(argument.value))
    return list(dict.fromkeys(ref for part in parts for ref in objects.subjects(part, scope)))


def _with_parts(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The expression, and the objects in it: `{"optimizer": optimizer}`, `partial(run, net)`.

    What a method of an object gives back, as `optimizer.state_dict()` does, is not the object.
    """
    yield node
    for part in _parts(node):
        yield from _with_parts(part)


def _parts(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    match node:
        case cst.Name() | cst.Attribute():
            pass  # most of them
        case cst.Call(args=arguments):
            yield from (argument.value for argument in arguments)
        case cst.Dict(elements=elements) | cst.List(elements=elements):
            yield from (element.value for element in elements)
        case cst.Tuple(elements=elements) | cst.Set(elements=elements):
            yield from (element.value for element in elements)
        case cst.IfExp(body=one, orelse=other):
            yield from (one, other)
        case cst.BooleanOperation(left=one, right=other):
            yield from (one, other)
        case cst.Lambda(body=body):
            yield body
