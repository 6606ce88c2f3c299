"""Which classes of a file have no part in what is left of it."""

from __future__ import annotations

import ast
from collections.abc import Set


def is_idle_class(node: ast.ClassDef, left_out: Set[ast.AST], named: Set[str]) -> bool:
    """Whether nothing names a class, defining it does nothing, and all its methods are left out."""
    if node.name in named or node.decorator_list or node.keywords:
        return False
    return all(_is_idle(statement, left_out, named) for statement in node.body)


def _is_idle(statement: ast.stmt, left_out: Set[ast.AST], named: Set[str]) -> bool:
    match statement:
        case ast.ClassDef():
            return is_idle_class(statement, left_out, named)
        case ast.Expr(value=ast.Constant()) | ast.Assign(value=ast.Constant()) | ast.Pass():
            return True
        case ast.AnnAssign(value=None | ast.Constant()):
            return True
    return statement in left_out
