"""Which loss scalers surely scale, whatever the settings of a run turn off."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from ...program import Ref
from ...syntax.names import last_name
from ...syntax.walk import inside
from ..scopes.scope import Value


class ScalersOn:
    """Answers by what the constructors in view are given for `enabled`."""

    def __init__(self, assigned: Mapping[Ref, list[Value]]) -> None:
        self._assigned = assigned

    def are_always(self, ref: Ref) -> bool:
        """Whether all that a scaler is ever given is a call that does not say when it is on."""
        values = self._assigned.get(ref, [])
        return bool(values) and all(_is_on(value.expression) for value in values)

    def switches(self, ref: Ref) -> frozenset[tuple[str, bool]]:
        """What says whether a scaler is on: `amp` if true with `enabled=args.amp`."""
        return frozenset(
            (last_name(part), not isinstance(enabled, cst.UnaryOperation))
            for value in self._assigned.get(ref, [])
            for call in (value.expression, *inside(value.expression))
            if isinstance(call, cst.Call)
            for enabled in _enabled(call)
            for part in (enabled, *inside(enabled))
            if isinstance(part, cst.Name | cst.Attribute)
        )


def _enabled(call: cst.Call) -> list[cst.BaseExpression]:
    return [a.value for a in call.args if a.keyword and a.keyword.value == "enabled"]


def _is_on(node: cst.BaseExpression) -> bool:
    match node:
        case cst.Call():
            return all(isinstance(e, cst.Name) and e.value == "True" for e in _enabled(node))
        case cst.IfExp(body=body, orelse=orelse):
            return _is_on(body) and _is_on(orelse)
    return isinstance(node, cst.Name) and node.value == "None"
