"""Tests of settings: what they read is given its value before training, and never by a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst

from ...program import Ref
from ...syntax.literals import literal
from ...syntax.names import dotted, last_name
from ...vocabulary.setting_names import CONFIGURATIONS, GIVES_SETTING, MODES
from ..objects.classes import Classes
from ..scopes.scope import ClassInfo, Scope, Value

Assigned = Mapping[Ref, Sequence[Value]]
"""What a file gives to names and attributes."""

_LITERALS = (cst.Integer, cst.Float, cst.SimpleString)
_CONSTANTS = frozenset({"True", "False", "None"})


class SettingTests:
    """Says of the tests of one file whether they ask for settings only."""

    def __init__(self, assigned: Assigned, classes: Classes) -> None:
        self._assigned = assigned
        self._classes = classes

    def is_setting(self, node: cst.BaseExpression, scope: Scope) -> bool:
        """`args.amp`, `self.scaler`, `cfg.window > 1`: names, attributes and literals, no calls."""
        match node:
            case cst.Name(value=name):
                return name not in _CONSTANTS and self._is_setting_name(name, scope)
            case cst.Attribute() | cst.Subscript():
                return self._is_setting_part(node, scope)
            case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]):
                return self.is_setting(left, scope) and _is_literal(right)
        return False

    def _is_setting_name(self, name: str, scope: Scope) -> bool:
        home = scope.home(name)
        if home is None:
            return False
        values = home.assigned.get(name, [])
        if name in home.parameters:
            return not values
        # A flag that is taken back in a loop is no setting.
        loops = {value.turns.loops for value in values if value is not None}
        return len(loops) == 1 and _may_vary(values)

    def _is_setting_part(self, node: cst.Attribute | cst.Subscript, scope: Scope) -> bool:
        """A part of a configuration, or an attribute of this class."""
        steps: list[str] = []
        part: cst.BaseExpression = node
        while isinstance(part, cst.Attribute | cst.Subscript):
            if isinstance(part, cst.Attribute):
                steps.append(part.attr.value)
            elif not all(_is_literal_index(element) for element in part.slice):
                return False
            part = part.value
        if not isinstance(part, cst.Name) or any(step in MODES for step in steps):
            return False
        if part.value != scope.instance_name or scope.within is None:
            return part.value in CONFIGURATIONS
        if steps[-1] in CONFIGURATIONS:
            return True
        if len(steps) != 1:
            return False
        values = self._assigned.get(scope.within.instance.child(steps[0]), ())
        return _may_vary(values) if values else self._is_set_from_outside(scope.within, steps[0])

    def _is_set_from_outside(self, owner: ClassInfo, attribute: str) -> bool:
        """No method of a class sets it, and no base that is not read could: `setattr` did."""
        defined = self._classes.method(owner, attribute) is not None
        return not defined and not self._classes.foreign_bases(owner)


def compared_with_literal(node: cst.BaseExpression) -> str:
    """`mode` of `mode == "train"`; empty for other tests."""
    match node:
        case cst.Comparison(
            left=left,
            comparisons=[cst.ComparisonTarget(operator=cst.Equal() | cst.NotEqual())],
        ):
            return dotted(left) or ""
    return ""


def _may_vary(values: Sequence[Value | None]) -> bool:
    """What is assigned is not one known value: a literal, or an object that a call has made."""
    if not values or any(value is None or value.iterated for value in values):
        return False
    kinds = [value.expression for value in values if value is not None]
    return len(kinds) > 1 or not all(map(_is_one_value, kinds))


def _is_one_value(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Call):
        return last_name(node.func) not in GIVES_SETTING
    return _is_literal(node)


def _is_literal(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Name):
        return node.value in _CONSTANTS
    return isinstance(node, _LITERALS)


def _is_literal_index(element: cst.SubscriptElement) -> bool:
    return isinstance(element.slice, cst.Index) and literal(element.slice.value) is not None
