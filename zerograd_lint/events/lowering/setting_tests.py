"""Tests of settings: what they read is given its value before training, and never by a call."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import libcst as cst

from ...program import Ref
from ...syntax.literals import literal
from ...syntax.names import dotted, last_name
from ...vocabulary.setting_names import CONFIGURATIONS, GIVES_SETTING, MODES, PARSES_OPTIONS
from ..objects.classes import Classes
from ..objects.fixed_values import Fixed, fixed_value
from ..scopes.scope import ClassInfo, Scope, Value

Assigned = Mapping[Ref, Sequence[Value]]
"""What a file gives to names and attributes."""

_LITERALS = (cst.Integer, cst.Float, cst.SimpleString)
_CONSTANTS = frozenset({"True", "False", "None"})
_BOTH = frozenset({True, False})
_MAX_DEPTH = 4
_COMPARE: dict[type[cst.BaseCompOp], Callable[[Any, Any], object]] = {
    cst.Equal: operator.eq,
    cst.NotEqual: operator.eq,
    cst.LessThan: operator.ge,
    cst.LessThanEqual: operator.gt,
    cst.GreaterThan: operator.gt,
    cst.GreaterThanEqual: operator.ge,
}
"""The tests that comparisons are made of: `!=` is one of `==` that fails."""


class SettingTests:
    """Says of the tests of one file whether they ask for settings only."""

    def __init__(self, assigned: Assigned, classes: Classes) -> None:
        self._assigned = assigned
        self._classes = classes

    def is_setting(self, node: cst.BaseExpression, scope: Scope) -> bool:
        """`args.amp`, `self.scaler`, `cfg.window > 1`: names, attributes and literals, no calls."""
        match node:
            case cst.Name(value=name):
                if name in _CONSTANTS:
                    return False
                return is_constant(node, scope) or self._is_setting_name(name, scope)
            case cst.Attribute() | cst.Subscript():
                return is_constant(node, scope) or self._is_setting_part(node, scope)
            case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(comparator=right)]):
                return self.is_setting(left, scope) and _is_literal(right)
        return False

    def is_free(self, node: cst.BaseExpression, scope: Scope) -> bool:
        """`args.window`: a setting that may have any value, for all that is in view."""
        root = node
        while isinstance(root, cst.Attribute | cst.Subscript):
            root = root.value
        if not isinstance(root, cst.Name) or not self.is_setting(node, scope):
            return False
        value = scope.only_value(root.value)
        return value is None or _gives_options(value)

    def is_limit(self, node: cst.BaseExpression, scope: Scope) -> bool:
        """`cfg.window > 1`: a setting is compared with a number, which closes no window.

        A bare name that is compared for equality may be the number of the micro-batch.
        """
        match node:
            case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget(operator=operator)]):
                is_exact = isinstance(operator, cst.Equal | cst.NotEqual)
                return not (is_exact and isinstance(left, cst.Name)) and self.is_setting(
                    node, scope
                )
        return False

    def _is_setting_name(self, name: str, scope: Scope) -> bool:
        home = scope.home(name)
        if home is None:
            return False
        values = home.assigned.get(name, [])
        if name in home.parameters:
            return not values
        if len(values) == 1 and values[0] is not None and values[0].scope.module != scope.module:
            linked = dotted(values[0].expression) or ""
            return self._is_setting_name(linked, values[0].scope)
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
            return _holds_settings(part, steps, scope)
        if steps and steps[-1] in CONFIGURATIONS:
            return True
        if len(steps) != 1:
            return False  # also `self["amp"]`, of a class that is a dict
        values = self._assigned.get(scope.within.instance.child(steps[0]), ())
        return _may_vary(values) if values else self._is_set_from_outside(scope.within, steps[0])

    def _is_set_from_outside(self, owner: ClassInfo, attribute: str) -> bool:
        """No method of a class sets it, and no base that is not read could: `setattr` did."""
        defined = self._classes.method(owner, attribute) is not None
        return not defined and not self._classes.foreign_bases(owner)


def answers(node: cst.BaseExpression, scope: Scope) -> frozenset[bool]:
    """What a test may answer: where it asks for constants, only one of the two."""
    match node:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget() as target]):
            one, other = _fixed(left, scope), fixed_value(target.comparator, scope)
            if one is not None and other is not None and type(one.value) is type(other.value):
                compare = _COMPARE.get(type(target.operator))
                if compare is not None:
                    return frozenset({bool(compare(one.value, other.value))})
            return _BOTH
    fixed = _fixed(node, scope)
    return _BOTH if fixed is None else frozenset({bool(fixed.value)})


def answers_if_set(node: cst.BaseExpression, scope: Scope) -> frozenset[bool]:
    """What the test `… is not None` may answer."""
    fixed = _fixed(node, scope)
    return _BOTH if fixed is None else frozenset({fixed.value is not None})


def is_constant(node: cst.BaseExpression, scope: Scope) -> bool:
    """Whether an expression has one value in every run."""
    return _fixed(node, scope) is not None


def _fixed(node: cst.BaseExpression, scope: Scope) -> Fixed | None:
    """The one value of an expression. What a class says of `self`, its subclasses may change."""
    name = dotted(node)
    is_own = name is not None and name.partition(".")[0] == scope.instance_name
    return None if is_own else fixed_value(node, scope)


def _holds_settings(node: cst.Name, steps: Sequence[str], scope: Scope) -> bool:
    """Whether an object has its parts from outside: an option, or by its name a configuration."""
    value = scope.only_value(node.value)
    if value is None:
        return node.value in CONFIGURATIONS
    if isinstance(value.expression, cst.Dict):
        return False  # it is written down in view, and what has become of it is not
    return node.value in CONFIGURATIONS or (bool(steps) and _gives_options(value))


def _gives_options(value: Value, depth: int = 0) -> bool:
    """`parser.parse_args()`, or a function in view that gives that back."""
    call = value.expression
    if isinstance(call, cst.Name):
        named = value.scope.only_value(call.value)
        return named is not None and depth < _MAX_DEPTH and _gives_options(named, depth + 1)
    if not isinstance(call, cst.Call):
        return False
    if last_name(call.func) in PARSES_OPTIONS:
        return True
    home = value.scope.home(dotted(call.func) or "")
    function = home.functions.get(dotted(call.func) or "") if home is not None else None
    if function is None or depth >= _MAX_DEPTH:
        return False
    returned = [node.value for node in function.nodes(cst.Return)]
    return bool(returned) and all(
        node is not None and _gives_options(Value(node, function.scope), depth + 1)
        for node in returned
    )


def is_told(name: str, scope: Scope) -> bool:
    """`update=True`, `update: bool`: a parameter by which a caller says yes or no."""
    home = scope.home(name)
    parameter = home.parameters.get(name) if home is not None else None
    if home is None or parameter is None or home.assigned.get(name):
        return False
    if parameter.annotation is not None:
        return dotted(parameter.annotation.annotation) == "bool"
    return parameter.default is not None and dotted(parameter.default) in ("True", "False")


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
