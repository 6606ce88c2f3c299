"""Numbers, spelt out or named once."""

from __future__ import annotations

import libcst as cst

from ...program import Ref
from ...syntax.literals import literal
from ...syntax.names import code_of, dotted
from ..scopes.scope import Scope
from .fixed_values import fixed_value


def number(node: cst.BaseExpression, scope: Scope) -> int | None:
    """The number an expression spells out, or that its name is given once: `LOG = 5`."""
    value = literal(node)
    if value is None and isinstance(node, cst.Name):
        home = scope.home(node.value)
        if home is not None and node.value in home.parameters:
            return _given_number(node.value, home)
        bound = scope.only_value(node.value)
        if home is not None and bound is not None:
            value = literal(bound.expression)
    if value is None:
        fixed = fixed_value(node, scope)
        value = fixed.value if fixed is not None and type(fixed.value) is int else None
    return value if isinstance(value, int) else None


def _given_number(parameter: str, home: Scope) -> int | None:
    """The number that all calls in view give to a parameter which is given no other value."""
    if home.arguments is None or home.assigned.get(parameter):
        return None
    arguments = home.arguments(Ref(home.id, parameter))
    default = home.parameters[parameter].default
    given = [literal(default)] if default is not None and arguments else []
    for argument in arguments:
        handed_on = argument.given_as is not None
        given.append(None if handed_on else number(argument.expression, argument.scope))
    return given[0] if len(set(given)) == 1 and isinstance(given[0], int) else None


def number_or_spelling(node: cst.BaseExpression, scope: Scope) -> int | str:
    """The number, or how the code spells it."""
    value = number(node, scope)
    return spelling(node) if value is None else value


def spelling(node: cst.BaseExpression) -> str:
    """The expression without the freedom of layout: no spaces, no outer parentheses."""
    return dotted(node) or "".join(code_of(node).split()).replace("'", '"')
