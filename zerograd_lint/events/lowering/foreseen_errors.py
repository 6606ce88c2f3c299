"""Errors that the code foresees: a test that wants one, a handler that knows what may fail."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import last_name
from ...syntax.walk import inside

_EXPECTING = frozenset({"raises", "assertRaises", "assertRaisesRegex", "suppress"})
"""Context managers of pytest, unittest and contextlib around what is there to fail."""
_WITHOUT_GRADIENT = frozenset({"AttributeError", "TypeError"})
"""What is raised where a gradient is None; other errors have many other causes."""
_ANY = frozenset({*_WITHOUT_GRADIENT, "RuntimeError", "AssertionError", "Exception"})


def expects_error(manager: cst.BaseExpression) -> bool:
    """`with pytest.raises(RuntimeError):`."""
    return isinstance(manager, cst.Call) and last_name(manager.func) in _EXPECTING


def foresees_error(node: cst.Try | cst.TryStar) -> bool:
    """`try: w.grad.zero_()` with a handler that goes on.

    A handler around a whole training step is there for whatever may come, such as too little
    memory; one around a single statement is there for that statement.
    """
    statements = node.body.body
    alone = len(statements) == 1 and not isinstance(statements[0], cst.BaseCompoundStatement)
    foreseen = _ANY if alone else _WITHOUT_GRADIENT
    return any(
        not any(isinstance(part, cst.Raise) for part in inside(handler.body))
        and (alone if handler.type is None else bool(_names(handler.type) & foreseen))
        for handler in node.handlers
    )


def _names(node: cst.BaseExpression) -> set[str]:
    found = [part for part in (node, *inside(node)) if isinstance(part, cst.Name | cst.Attribute)]
    return {last_name(part) for part in found}
