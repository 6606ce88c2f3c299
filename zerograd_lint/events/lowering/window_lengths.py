"""Numbers that say how many batches a window has: that one is set does not close a window."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from ...syntax.literals import literal
from ...syntax.names import code_of
from ...syntax.walk import inside
from ...vocabulary import evidence
from ..objects.numbers import spelling
from ..scopes.scope import ClassInfo, Scope
from .setting_tests import Assigned


def divides_in(around: Sequence[cst.BaseExpression], key: str) -> bool:
    """`not n or i % n == 0`: what the same test divides by is a number."""
    return any(
        isinstance(part, cst.BinaryOperation)
        and isinstance(part.operator, cst.Modulo)
        and spelling(part.right) == key
        for whole in around
        for part in inside(whole)
    )


def is_given_number(node: cst.BaseExpression, scope: Scope, assigned: Assigned) -> bool:
    """`self.window`, where that is a number which the object was made with, and nothing else."""
    match node:
        case cst.Attribute(value=cst.Name(value=base), attr=cst.Name(value=attribute)) if (
            base == scope.instance_name and scope.within is not None
        ):
            return _is_made_with_number(attribute, scope.within, assigned)
    return False


def _is_made_with_number(attribute: str, owner: ClassInfo, assigned: Assigned) -> bool:
    values = assigned.get(owner.instance.child(attribute), ())
    value = values[0] if len(values) == 1 else None
    made = owner.methods.get("__init__")
    if value is None or made is None or value.scope is not made.scope:
        return False
    parameter = made.scope.parameters.get(value.given_as or "")
    return parameter is not None and _is_number(parameter)


def _is_number(parameter: cst.Param) -> bool:
    if parameter.annotation is None:
        return parameter.default is not None and isinstance(literal(parameter.default), int)
    return evidence.is_number_type(code_of(parameter.annotation.annotation))
