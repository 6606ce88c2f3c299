"""What an optimizer is made from, as far as the file says."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def share_parameters(tree: ast.Module, one: str, other: str) -> bool:
    """Whether two optimizers are made from the same network, or one from a part of the other's."""
    return any(
        a == b or a.startswith(b + ".") or b.startswith(a + ".")
        for a in _sources(tree, one)
        for b in _sources(tree, other)
    )


def networks(tree: ast.Module, owner: str) -> set[str]:
    """Everything that has `.parameters()` called on it where the owner is made."""
    return {
        ast.unparse(call.func.value)
        for value in _made_from(tree, owner)
        for call in ast.walk(value)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ("parameters", "named_parameters")
    }


def _sources(tree: ast.Module, owner: str) -> set[str]:
    """Its networks, and the single tensors of a list."""
    tensors = {
        ast.unparse(element)
        for value in _made_from(tree, owner)
        for node in ast.walk(value)
        if isinstance(node, ast.List)
        for element in node.elts
        if isinstance(element, ast.Name | ast.Attribute)
    }
    return networks(tree, owner) | tensors


def _made_from(tree: ast.Module, owner: str) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and any(ast.unparse(t) == owner for t in node.targets):
            yield node.value
