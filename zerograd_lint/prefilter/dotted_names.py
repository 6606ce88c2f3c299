"""Names as they are spelt in a module's `ast`: `engine.step`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator


def dotted_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """These expressions as they are spelt, each with all that it is an attribute of."""
    for node in nodes:
        spelt = dotted(node)
        while spelt:
            yield spelt
            spelt = spelt.rpartition(".")[0]


def last_word(node: ast.AST) -> str:
    """`c` of `a.b.c` and of `c`, empty for anything that is no name."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


def dotted(node: ast.AST) -> str:
    """`a.b.c` for a chain of names, empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else ""
    return ""
