"""A visitor over libcst nodes that changes nothing.

libcst's own visitors rebuild every node they pass. Here a node's class chooses the method, and
the method decides which parts are visited.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import libcst as cst


class Visitor:
    """Finds `visit_Call` for a `libcst.Call`, and `visit_other` where there is no such method."""

    _methods: ClassVar[dict[type[cst.CSTNode], Callable[..., Any]]] = {}

    def __init_subclass__(cls) -> None:
        cls._methods = {
            getattr(cst, name.removeprefix("visit_")): getattr(cls, name)
            for name in dir(cls)
            if name.startswith("visit_") and name != "visit_other"
        }

    def visit(self, node: cst.CSTNode, *context: Any) -> Any:
        """What the method for this class of node makes of it."""
        method = self._methods.get(type(node))
        if method is None:
            return self.visit_other(node, *context)
        return method(self, node, *context)

    def visit_other(self, node: cst.CSTNode, *context: Any) -> Any:
        """What becomes of a node of any other class."""
        return None
