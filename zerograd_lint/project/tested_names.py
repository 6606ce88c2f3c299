"""Which names of a unit decide about its branches: constants, tables, options, by their `ast`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from ..prefilter.bindings import bound
from .dotted_names import dotted, dotted_names
from .nodes_below import all_below

_TESTING = (ast.If, ast.While, ast.IfExp)
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Compare, ast.BoolOp, ast.UnaryOp)
"""What a test may be given a name as."""


def tested_names(nodes: Iterable[ast.AST]) -> set[str]:
    """The dotted names in tests, in remainders and in what is named to be tested later.

    With them come those of the functions and classes that make what they are parts of.
    """
    nodes = list(nodes)
    found = {name for test in _tests(nodes) for name in _names(test)}
    if not found:
        return found
    roots = {name.partition(".")[0] for name in found}
    for target, value in bound(nodes):
        if isinstance(value, ast.Call) and any(
            isinstance(part, ast.Name) and part.id in roots for part in all_below([target])
        ):
            found.update(_names(value.func))
    return found


def _tests(nodes: list[ast.AST]) -> Iterator[ast.expr]:
    # The module itself comes without its compound statements: their tests stand by themselves.
    yield from (node for node in nodes if isinstance(node, _PLAIN))
    for node in all_below(nodes):
        if isinstance(node, _TESTING):
            yield node.test
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            yield node.right
        elif isinstance(node, ast.Assign) and isinstance(node.value, _PLAIN):
            yield node.value


def _names(node: ast.expr) -> Iterator[str]:
    """The names of an expression outside of its calls, each as long as it is spelt."""
    pending: list[ast.AST] = [node]
    while pending:
        part = pending.pop()
        if dotted(part):
            yield from dotted_names([part])
        elif not isinstance(part, ast.Call):
            pending += ast.iter_child_nodes(part)
