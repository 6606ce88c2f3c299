"""Calls whose body is out of view: what they were given may come back changed."""

from __future__ import annotations

import libcst as cst

from ...program import Block, Ref
from ...syntax.names import dotted
from ...vocabulary.things import Thing
from ...vocabulary.unread_calls import (
    LEAVES_GRADIENTS_ALONE,
    MAY_CHANGE_GRADIENTS,
    MAY_TRAIN,
    MAY_ZERO,
    ONLY_ANSWERS,
)
from ..event import Escape, HandOver
from ..objects.resolve import Refs
from ..objects.resolver import Resolver
from .emitter import Emitter


class UnreadEffects:
    """Judges unread calls by their names and by what they are given."""

    def __init__(self, resolver: Resolver, emitter: Emitter) -> None:
        self._imports = resolver.index.imports
        self._objects = resolver.objects
        self._inventory = resolver.inventory
        self._emitter = emitter

    def effect(
        self, call: cst.Call, receiver: cst.BaseExpression | None, refs: Refs, name: str
    ) -> Block:
        """`refs` are the objects that the receiver stands for."""
        emit = self._emitter.emit
        if name in MAY_ZERO:
            return emit(Escape(), (None,), call, call.func)
        if name in LEAVES_GRADIENTS_ALONE or self._is_torch(call):
            return []
        if not call.args and name in ONLY_ANSWERS:
            return []
        scope = self._emitter.scope
        may_change = name in MAY_CHANGE_GRADIENTS and not self._is_module(call)
        given = [ref for a in call.args for ref in self._objects.subjects(a.value, scope)]
        touched = [
            ref
            for ref in given
            if may_change or self._inventory.thing(ref) in (Thing.OPTIMIZER, Thing.SCALER)
        ]
        for ref in refs:
            touched += self._through_receiver(ref, name, may_change)
            if self._emitter.is_statement(call) and self._may_clear_itself(ref):
                touched.append(ref)
        if receiver is not None and is_super(receiver) and may_change and scope.within:
            touched.append(scope.within.instance)
        handed = self._start_of_backward(call, receiver, given, refs) - set(touched)
        escaped = emit(Escape(), touched, call, call.func)
        return escaped + emit(HandOver(), sorted(handed), call, call.func)

    def dispatched(self, call: cst.Call) -> Block:
        """`getattr(callback, event)(trainer)`: whatever it is given may come back changed."""
        scope = self._emitter.scope
        given = [ref for a in call.args for ref in self._objects.subjects(a.value, scope)]
        return self._emitter.emit(Escape(), given, call, call)

    def _through_receiver(self, ref: Ref, name: str, may_change: bool) -> list[Ref]:
        """What a method can reach through its own object."""
        thing = self._inventory.thing(ref)
        touched: list[Ref] = []
        if thing is Thing.OPTIMIZER or (may_change and thing is not Thing.OTHER):
            touched.append(ref)
        if thing is not Thing.OTHER:
            touched += (
                held
                for held in self._inventory.held.get(ref, ())
                if self._inventory.thing(held) is Thing.OPTIMIZER or name in MAY_TRAIN
            )
        return touched

    def _may_clear_itself(self, ref: Ref) -> bool:
        """A network of a class out of view: `gan.reset()` may clear what it owns."""
        is_module = self._inventory.thing(ref) is Thing.MODULE
        return is_module and ref not in self._inventory.constructed

    def _is_module(self, call: cst.Call) -> bool:
        """`learner(x)` runs a network, whatever it is called."""
        refs = self._objects.subjects(call.func, self._emitter.scope)
        return any(self._inventory.thing(ref) is Thing.MODULE for ref in refs)

    def _is_torch(self, call: cst.Call) -> bool:
        """torch's own functions touch no gradients but where the vocabulary says so."""
        full = self._imports.full(dotted(call.func) or "")
        return full is not None and full.startswith("torch.")

    def _start_of_backward(
        self, call: cst.Call, receiver: cst.BaseExpression | None, given: list[Ref], refs: Refs
    ) -> set[Ref]:
        """What unread code could start a backward from; callable objects start none."""
        scope = self._emitter.scope
        if receiver is None:
            local = scope.home(dotted(call.func) or "") is not None
            return set() if local else set(given)
        if scope.within is not None and any(scope.within.instance.contains(ref) for ref in refs):
            return {*given, *refs}
        return set(given)


def is_super(node: cst.BaseExpression) -> bool:
    """`super()`."""
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Name)
        and node.func.value == "super"
    )
