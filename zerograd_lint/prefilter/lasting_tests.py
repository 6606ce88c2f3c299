"""Tests that have the same answer wherever a function asks them: `if use_amp:`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cached_property

from .bindings import walk

Answer = tuple[str, bool]
"""A test, and how it comes out."""
_OPPOSITES: dict[type[ast.cmpop], ast.cmpop] = {ast.IsNot: ast.Is(), ast.NotEq: ast.Eq()}


class LastingTests:
    """What a function asks without giving a value to anything that it asks about."""

    def __init__(self, nodes: Sequence[ast.AST]) -> None:
        self._nodes = nodes

    def question(self, test: ast.expr) -> Answer | None:
        """The test, and what it comes to where this one holds; None if it may change."""
        holds = True
        while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, holds = test.operand, not holds
        match test:
            case ast.Compare(left=left, ops=[op], comparators=others) if type(op) in _OPPOSITES:
                test, holds = ast.Compare(left, [_OPPOSITES[type(op)]], others), not holds
        parts = list(walk([test]))
        if any(isinstance(part, ast.Call | ast.NamedExpr | ast.Subscript) for part in parts):
            return None
        if not self._bound.isdisjoint(map(_word, parts)):
            return None
        return ast.unparse(test), holds

    @cached_property
    def _bound(self) -> frozenset[str | None]:
        """Names and attributes that are given a value, also by functions in it."""
        return frozenset(
            _word(node)
            for node in walk(self._nodes)
            if isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load)
        )


def _word(node: ast.AST) -> str | None:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else None
