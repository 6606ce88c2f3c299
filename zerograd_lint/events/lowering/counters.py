"""Counters of windows that are compared, not divided: `seen == window`, `left > 1`."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import dotted
from ..scopes.scope import Scope
from .setting_tests import Assigned

_REACHED = (cst.Equal, cst.GreaterThanEqual)
_COUNTING = (cst.AddAssign, cst.SubtractAssign)


def compares_counter(node: cst.BaseExpression, scope: Scope, assigned: Assigned) -> bool:
    """Whether a test asks how far a counter has come that begins again and again.

    `seen == window`, where `seen` is counted up, is one by itself. Any other comparison is only
    where the code also sets the counter back.
    """
    match node:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=operator)]):
            changes = [type(change.operator) for change in _changes(dotted(left) or "", scope)]
            if cst.AddAssign in changes and isinstance(operator, _REACHED):
                return True
            return any(kind in _COUNTING for kind in changes) and _is_set_back(
                left, scope, assigned
            )
    return False


def _changes(name: str, scope: Scope) -> list[cst.AugAssign]:
    return scope.augmented.get(name, [])


def _is_set_back(counter: cst.BaseExpression, scope: Scope, assigned: Assigned) -> bool:
    """It is given a new value in the same function: in a loop, or outside its constructor."""
    match counter:
        case cst.Name(value=name):
            values = scope.values(name)
            loops = {value.turns.loops for value in values if value is not None}
            return len(values) > 1 and len(loops) > 1
        case cst.Attribute(value=cst.Name(value=base), attr=cst.Name(value=attribute)):
            within = scope.within
            if within is None or base != scope.instance_name:
                return False
            given = assigned.get(within.instance.child(attribute), ())
            return any(value.scope.id == scope.id for value in given)
    return False
