"""Where the code of a function begins."""

from __future__ import annotations

import libcst as cst

from ..scopes.scope import Definition
from ..site import Site


def first_place(definition: Definition) -> Site | None:
    """The first statement of a function behind its docstring and what it declares."""
    node = definition.node
    if not isinstance(node, cst.FunctionDef) or not isinstance(node.body, cst.IndentedBlock):
        return None
    statements = list(node.body.body)
    if node.get_docstring() is not None and len(statements) > 1:
        del statements[0]
    first = next((s for s in statements if not _declares(s)), statements[-1])
    return Site(first, first, definition.function, block=0)


def _declares(statement: cst.CSTNode) -> bool:
    """`global count`, `nonlocal count`."""
    return isinstance(statement, cst.SimpleStatementLine) and isinstance(
        statement.body[0], cst.Global | cst.Nonlocal
    )
