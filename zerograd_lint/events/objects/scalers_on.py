"""Which loss scalers surely scale, whatever the settings of a run turn off."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from ...program import Ref
from ..scopes.scope import Value


class ScalersOn:
    """Answers by what the constructors in view are given for `enabled`."""

    def __init__(self, assigned: Mapping[Ref, list[Value]]) -> None:
        self._assigned = assigned

    def are_always(self, ref: Ref) -> bool:
        """Whether all that a scaler is ever given is a call that does not say when it is on."""
        values = self._assigned.get(ref, [])
        return bool(values) and all(_is_on(value.expression) for value in values)


def _is_on(node: cst.BaseExpression) -> bool:
    match node:
        case cst.Call(args=arguments):
            enabled = [a.value for a in arguments if a.keyword and a.keyword.value == "enabled"]
            return all(isinstance(e, cst.Name) and e.value == "True" for e in enabled)
        case cst.IfExp(body=body, orelse=orelse):
            return _is_on(body) and _is_on(orelse)
    return isinstance(node, cst.Name) and node.value == "None"
