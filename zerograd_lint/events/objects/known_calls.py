"""Calls whose callee is in view, or belongs to a library that is known."""

from __future__ import annotations

import builtins

import libcst as cst

from ...syntax.names import dotted
from ...vocabulary.unread_calls import KNOWN_LIBRARIES
from ..scopes.scope import Scope
from .classes import Classes


class KnownCalls:
    """Tells what is read or known from what is out of view."""

    def __init__(self, classes: Classes) -> None:
        self._classes = classes

    def is_known(self, call: cst.Call, scope: Scope) -> bool:
        """Whether a call runs code of the file, or of a library that keeps nothing for itself."""
        return self.is_library(call.func, scope) or self._is_in_view(call.func, scope)

    def is_library(self, func: cst.BaseExpression, scope: Scope) -> bool:
        """Whether a function belongs to Python or to a well-known library."""
        name = dotted(func) or ""
        if scope.home(name.partition(".")[0]) is not None:
            return False
        full = scope.imports.full(name)
        if full is None:
            return hasattr(builtins, name)
        return full.startswith(KNOWN_LIBRARIES)

    def _is_in_view(self, func: cst.BaseExpression, scope: Scope) -> bool:
        match func:
            case cst.Name(value=name):
                home = scope.home(name)
                return home is not None and (name in home.functions or name in home.classes)
            case cst.Attribute(value=receiver, attr=cst.Name(value=method)):
                if scope.imports.is_read(dotted(func) or ""):
                    return True
                owner = self._classes.class_of(receiver, scope)
                return owner is not None and self._classes.method(owner, method) is not None
        return False
