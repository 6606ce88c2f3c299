"""Dotted names and spellings of expressions."""

from __future__ import annotations

import libcst as cst

_EMPTY = cst.Module(())
_LONG_CALL = 60


def dotted(node: cst.BaseExpression) -> str | None:
    """`a.b.c` for a chain of names, None for anything else."""
    parts: list[str] = []
    while type(node) is cst.Attribute:
        parts.append(node.attr.value)
        node = node.value
    if type(node) is not cst.Name:
        return None
    parts.append(node.value)
    return ".".join(reversed(parts))


def last_name(node: cst.BaseExpression) -> str:
    """`c` for `c` and for `a.b.c`, an empty string for anything else."""
    if type(node) is cst.Attribute:
        return node.attr.value
    return node.value if type(node) is cst.Name else ""


def code_of(node: cst.BaseExpression) -> str:
    """The expression as it is written, without parentheses around all of it."""
    code = _EMPTY.code_for_node(node)
    for _ in node.lpar:
        code = code.strip()[1:-1]
    return code.strip()


def short_call(node: cst.CSTNode) -> str:
    """A call on one line; long arguments are left out."""
    if not isinstance(node, cst.Call):
        return ""
    code = " ".join(code_of(node).split())
    return code if len(code) <= _LONG_CALL else f"{code_of(node.func)}(...)"
