"""The values of literals."""

from __future__ import annotations

import libcst as cst

_MOST_DIGITS = 4_000
"""Python refuses to read longer numbers."""
_TRUTH = {"True": True, "False": False, "None": False}


def is_none(node: cst.BaseExpression) -> bool:
    """Whether an expression is `None` itself."""
    return isinstance(node, cst.Name) and node.value == "None"


def literal(node: cst.BaseExpression) -> str | int | None:
    """The text or whole number an expression spells out."""
    match node:
        case cst.Name() | cst.Attribute():
            return None  # most of them
        case cst.SimpleString(value=spelt) if spelt[0] in "'\"" and "\\" not in spelt:
            quotes = 3 if spelt[:3] in ("'''", '"""') else 1
            return spelt[quotes:-quotes]
        case cst.SimpleString() | cst.ConcatenatedString():
            value = node.evaluated_value
            return value if isinstance(value, str) else None
        case cst.Integer(value=spelt) if len(spelt) < _MOST_DIGITS:
            return node.evaluated_value
    return None


_VALUES = (
    *(cst.Integer, cst.Float, cst.Imaginary, cst.Comparison),
    *(cst.SimpleString, cst.ConcatenatedString, cst.FormattedString),
)


def is_literal(node: cst.BaseExpression) -> bool:
    """Whether an expression is a number, a text, a flag, nothing, or a collection of such."""
    match node:
        case cst.Name(value=name):
            return name in _TRUTH
        case cst.UnaryOperation(expression=inner):
            return is_literal(inner)
        case cst.Tuple(elements=parts) | cst.List(elements=parts) | cst.Set(elements=parts):
            return all(is_literal(part.value) for part in parts)
        case cst.Dict(elements=pairs):
            return all(is_literal(pair.value) for pair in pairs)
    return isinstance(node, _VALUES)


def truth(node: cst.BaseExpression | None) -> bool | None:
    """Whether a constant counts as true; None if it is none of True, False, None and a number."""
    if isinstance(node, cst.Name):
        return _TRUTH.get(node.value)
    return bool(literal(node)) if isinstance(node, cst.Integer) else None
