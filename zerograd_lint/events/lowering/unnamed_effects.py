"""What calls do that their names do not say: they run a function, or act by a text."""

from __future__ import annotations

import libcst as cst

from ...program import Block
from ...syntax.literals import literal
from ...vocabulary.buffers import GRADIENT_ATTRIBUTES
from ...vocabulary.unread_calls import (
    CHANGES_LISTED,
    LOCAL_NAMESPACES,
    MAY_ZERO,
    RUNS_ON_PARTS,
    RUNS_TEXT,
    SETS_BY_NAME,
)
from ..event import Escape, HandOver
from ..objects.buffer_access import buffers_in
from ..objects.resolve import Refs
from ..objects.resolver import Resolver
from ..scopes.scope import Scope
from .emitter import Emitter
from .handed_functions import HandedFunctions, may_clear, runs_backward


class UnnamedEffects:
    """Judges calls by what they are given to run or to write."""

    def __init__(self, resolver: Resolver, emitter: Emitter, handed: HandedFunctions) -> None:
        self._objects = resolver.objects
        self._known_calls = resolver.known_calls
        self._emitter = emitter
        self._handed = handed

    def effect(self, call: cst.Call, name: str) -> Block:
        """What comes back changed, or with a backward behind it."""
        handed = self._handed.given_to(call)
        reached = self._reached(call, name, handed)
        if reached:
            return self._emitter.emit(Escape(), reached, call, call.func)
        if any(map(runs_backward, handed)):
            return self._emitter.emit(HandOver(), (None,), call, call.func)
        return []

    def _reached(self, call: cst.Call, name: str, handed: list[cst.CSTNode]) -> Refs | tuple[None]:
        """What a call may clear, though no zeroing: `setattr(p, "grad", None)`, `map(clear, p)`."""
        scope = self._emitter.scope
        if name in MAY_ZERO or any(map(may_clear, handed)):
            return (None,)
        if name in RUNS_TEXT and isinstance(call.func, cst.Name):  # not `model.eval()`
            return (None,) if self._emitter.is_statement(call) else ()
        if name in CHANGES_LISTED:
            return (None,) if any(_lists_gradients(a.value, scope) for a in call.args) else ()
        if any(_is_namespace(argument.value) for argument in call.args):
            return (None,) if self._emitter.is_unused(call) else ()
        if name in RUNS_ON_PARTS and not handed and self._runs_unread(call):
            return self._objects.subjects(_whole_given(call), scope)
        if name not in SETS_BY_NAME or not call.args:
            return ()
        named = literal(call.args[1].value) if len(call.args) > 1 else None
        if isinstance(named, str) and named not in GRADIENT_ATTRIBUTES:
            return ()
        return self._objects.subjects(call.args[0].value, scope)

    def _runs_unread(self, call: cst.Call) -> bool:
        """Whether a call is there to run what is given first, and that is no library's function."""
        first = call.args[0].value if call.args else None
        if not isinstance(first, cst.Name | cst.Attribute) or not self._emitter.is_unused(call):
            return False
        return not self._known_calls.is_library(first, self._emitter.scope)


def _whole_given(call: cst.Call) -> cst.BaseExpression:
    """What a function is run on, part by part: `net` of `net.apply(f)` and `map(f, net)`."""
    match call.func:
        case cst.Attribute(value=receiver):
            return receiver
    return call.args[-1].value


def _is_namespace(node: cst.BaseExpression) -> bool:
    """`locals()`, `vars()`: all local objects, by their names."""
    match node:
        case cst.Call(func=cst.Name(value=name), args=[]):
            return name in LOCAL_NAMESPACES
    return False


def _lists_gradients(node: cst.BaseExpression, scope: Scope) -> bool:
    """`[p.grad for p in net.parameters()]`, or a name for that."""
    values = scope.values(node.value) if isinstance(node, cst.Name) else []
    return any(map(buffers_in, (node, *(value.expression for value in values if value))))
