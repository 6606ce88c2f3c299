"""What the context of a `with` statement runs before and after the body."""

from __future__ import annotations

import libcst as cst

from ...program import Block, Invoke
from .callees import Callees
from .emitter import Emitter


class Contexts:
    """Runs the methods of context managers whose class is in view."""

    def __init__(self, callees: Callees, emitter: Emitter) -> None:
        self._callees = callees
        self._emitter = emitter

    def around(self, node: cst.BaseExpression) -> tuple[Block, Block]:
        """What happens when a context is entered and when it is left."""
        return self._run(node, "__enter__"), self._run(node, "__exit__")

    def _run(self, node: cst.BaseExpression, method: str) -> Block:
        callee = self._callees.method_of(node, method, self._emitter.scope)
        if callee is None or callee.instance is None:
            return []
        owner = callee.definition.scope.within
        binding = ((owner.instance, callee.instance),) if owner is not None else ()
        return [
            Invoke(callee.definition.function, binding, site=self._emitter.site(node)),
        ]
