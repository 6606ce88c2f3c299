"""Numbers, spelt out or named once."""

from __future__ import annotations

import libcst as cst

from ...syntax.literals import literal
from ...syntax.names import code_of, dotted
from ..scopes.scope import Scope
from .fixed_values import fixed_value


def number(node: cst.BaseExpression, scope: Scope) -> int | None:
    """The number an expression spells out, or that its name is given once: `LOG = 5`."""
    value = literal(node)
    if value is None and isinstance(node, cst.Name):
        home = scope.home(node.value)
        bound = scope.only_value(node.value)
        if home is not None and bound is not None and node.value not in home.parameters:
            value = literal(bound.expression)
    if value is None:
        fixed = fixed_value(node, scope)
        value = fixed.value if fixed is not None and type(fixed.value) is int else None
    return value if isinstance(value, int) else None


def number_or_spelling(node: cst.BaseExpression, scope: Scope) -> int | str:
    """The number, or how the code spells it."""
    value = number(node, scope)
    return spelling(node) if value is None else value


def spelling(node: cst.BaseExpression) -> str:
    """The expression without the freedom of layout: no spaces, no outer parentheses."""
    return dotted(node) or "".join(code_of(node).split()).replace("'", '"')
