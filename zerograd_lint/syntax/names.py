"""Dotted names and spellings of expressions."""

from __future__ import annotations

from contextlib import nullcontext

import libcst as cst
from libcst._nodes.internal import CodegenState

_LONG_CALL = 60


def dotted(node: cst.BaseExpression) -> str | None:
    """`a.b.c` for a chain of names, None for anything else."""
    if type(node) is cst.Name:
        return node.value
    if type(node) is not cst.Attribute:
        return None
    spelt, node = node.attr.value, node.value
    while type(node) is cst.Attribute:
        spelt = f"{node.attr.value}.{spelt}"
        node = node.value
    return f"{node.value}.{spelt}" if type(node) is cst.Name else None


def last_name(node: cst.BaseExpression) -> str:
    """`c` for `c` and for `a.b.c`, an empty string for anything else."""
    if type(node) is cst.Attribute:
        return node.attr.value
    return node.value if type(node) is cst.Name else ""


def names_bound(target: cst.BaseExpression) -> set[str]:
    """The names that a target gives a value to: both of `a, self.b`."""
    if isinstance(target, cst.Tuple | cst.List):
        return {name for element in target.elements for name in names_bound(element.value)}
    return {last_name(target)}


def code_of(node: cst.BaseExpression) -> str:
    """The expression as it is written, without parentheses around all of it."""
    if type(node) is cst.Name:
        return node.value
    state = _Spelling("    ", "\n")
    node._codegen(state)
    code = "".join(state.tokens)
    for _ in node.lpar:
        code = code.strip()[1:-1]
    return code.strip()


class _Spelling(CodegenState):
    """Writes code without noting where each node stands, which takes as long again."""

    def record_syntactic_position(  # type: ignore[override]
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> nullcontext[None]:
        return _NOWHERE


_NOWHERE = nullcontext()


def short_call(node: cst.CSTNode) -> str:
    """A call on one line; long arguments are left out."""
    if not isinstance(node, cst.Call):
        return ""
    code = " ".join(code_of(node).split())
    return code if len(code) <= _LONG_CALL else f"{code_of(node.func)}(...)"
