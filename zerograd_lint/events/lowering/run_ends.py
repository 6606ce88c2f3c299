"""Calls and exceptions that end the run, so that nothing behind them comes round again."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import dotted
from ...vocabulary.unread_calls import (
    ENDS_RUN,
    ENDS_RUN_METHODS,
    ENDS_RUN_METHODS_OF,
    ENDS_RUN_RAISED,
)
from ..objects.known_calls import KnownCalls
from ..scopes.scope import Scope


class RunEnds:
    """Knows what ends the run, or may well do so."""

    def __init__(self, known_calls: KnownCalls) -> None:
        self._known_calls = known_calls

    def ends(self, call: cst.Call, scope: Scope) -> bool:
        """`sys.exit(0)`, `parser.exit()`; methods that are read do what they do."""
        name = dotted(call.func)
        if name is not None and scope.home(name.partition(".")[0]) is None:
            if (scope.imports.full(name) or name) in ENDS_RUN:
                return True
        match call.func:
            case cst.Attribute(value=receiver, attr=cst.Name(value=method)):
                if method in ENDS_RUN_METHODS:
                    return not self._known_calls.is_in_view(call.func, scope)
                return f"{_maker(receiver, scope)}.{method}" in ENDS_RUN_METHODS_OF
        return False

    def raised(self, node: cst.Raise, scope: Scope) -> bool:
        """`raise SystemExit`: no `except Exception` holds it up."""
        exception = node.exc.func if isinstance(node.exc, cst.Call) else node.exc
        name = dotted(exception) if exception is not None else None
        return name is not None and (scope.imports.full(name) or name) in ENDS_RUN_RAISED


def _maker(receiver: cst.BaseExpression, scope: Scope) -> str | None:
    """The qualified name of the class that makes a receiver, where it is made in view."""
    value = scope.only_value(receiver.value) if isinstance(receiver, cst.Name) else None
    if value is None or not isinstance(value.expression, cst.Call):
        return None
    name = dotted(value.expression.func)
    return None if name is None else value.scope.imports.full(name) or name
