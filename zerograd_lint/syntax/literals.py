"""The values of literals."""

from __future__ import annotations

import libcst as cst

_MOST_DIGITS = 4_000
"""Python refuses to read longer numbers."""
_TRUTH = {"True": True, "False": False, "None": False}


def literal(node: cst.BaseExpression) -> str | int | None:
    """The text or whole number an expression spells out."""
    match node:
        case cst.SimpleString(value=spelt) if spelt[0] in "'\"" and "\\" not in spelt:
            quotes = 3 if spelt[:3] in ("'''", '"""') else 1
            return spelt[quotes:-quotes]
        case cst.SimpleString() | cst.ConcatenatedString():
            value = node.evaluated_value
            return value if isinstance(value, str) else None
        case cst.Integer(value=spelt) if len(spelt) < _MOST_DIGITS:
            return node.evaluated_value
    return None


def truth(node: cst.BaseExpression | None) -> bool | None:
    """Whether a constant counts as true; None if it is none of True, False, None and a number."""
    if isinstance(node, cst.Name):
        return _TRUTH.get(node.value)
    return bool(literal(node)) if isinstance(node, cst.Integer) else None
