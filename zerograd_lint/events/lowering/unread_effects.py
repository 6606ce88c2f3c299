"""Calls whose body is out of view: what they can reach may come back changed."""

from __future__ import annotations

import libcst as cst

from ...program import Block, Ref
from ...syntax.names import dotted
from ...vocabulary.things import Thing
from ...vocabulary.unread_calls import ARITHMETIC_IN_PLACE, IN_PLACE, MAY_ZERO, METHODS_OF
from ..event import Escape, HandOver
from ..objects.resolve import Refs
from ..objects.resolver import Resolver
from .emitter import Emitter


class UnreadEffects:
    """Judges unread calls by what they can reach: by argument, by receiver, by what that holds.

    A network that is merely given to a call is out of reach where the call is made for its value.
    """

    def __init__(self, resolver: Resolver, emitter: Emitter) -> None:
        self._resolver = resolver
        self._objects = resolver.objects
        self._inventory = resolver.inventory
        self._emitter = emitter

    def effect(
        self, call: cst.Call, receiver: cst.BaseExpression | None, refs: Refs, name: str
    ) -> Block:
        """`refs` are the objects that the receiver stands for."""
        emit, scope = self._emitter.emit, self._emitter.scope
        if name in MAY_ZERO:
            return emit(Escape(), (None,), call, call.func)
        if self._resolver.known_calls.is_library(call.func, scope) or self._is_torchs(refs, name):
            return []
        if receiver is not None and (name in ARITHMETIC_IN_PLACE or self._is_passive(refs)):
            return []
        for_effect = self._emitter.is_statement(call)
        given = self._given(call)
        if receiver is None and self._is_handed_function(call.func):
            # `closure()` holds whatever the function around it could reach.
            if for_effect:
                return emit(Escape(), (None,), call, call.func)
            if not call.args:
                return emit(HandOver(), (None,), call, call.func)
        touched = [ref for ref in given if self._is_within_reach(ref, for_effect=for_effect)]
        for ref in refs:
            touched += self._through_receiver(ref, name, for_effect)
        for ref in self._objects.subjects(call.func, scope):
            # A network that was given the optimizer may do anything with it in its forward.
            touched += self._inventory.optimizers_in(ref)
        if receiver is not None and is_super(receiver) and self._has_unread_base():
            assert scope.within is not None
            touched.append(scope.within.instance)
        handed = self._start_of_backward(call, receiver, given, refs) - set(touched)
        escaped = emit(Escape(), touched, call, call.func)
        return escaped + emit(HandOver(), sorted(handed), call, call.func)

    def _is_handed_function(self, func: cst.BaseExpression) -> bool:
        """A function that came as an argument: not a network, and not a class of the file."""
        if not isinstance(func, cst.Name):
            return False
        home = self._emitter.scope.home(func.value)
        if home is None or func.value not in home.parameters:
            return False
        refs = self._objects.subjects(func, self._emitter.scope)
        return all(self._inventory.thing(ref) is None for ref in refs)

    def dispatched(self, call: cst.Call, chosen: cst.Call) -> Block:
        """`getattr(callback, event)(trainer)`: it reaches both the callback and the trainer."""
        reached = [*self._given(call), *self._given(chosen)]
        return self._emitter.emit(Escape(), reached, call, call)

    def looked_up(self, call: cst.Call) -> Block:
        """`actions[name](model)`: whatever is looked up can reach what it is given."""
        for_effect = self._emitter.is_statement(call)
        given = self._given(call)
        reached = [ref for ref in given if self._is_within_reach(ref, for_effect=for_effect)]
        return self._emitter.emit(Escape(), reached, call, call.func)

    def reached_by_manager(self, manager: cst.BaseExpression) -> list[Ref]:
        """What a context manager can clear when it is entered or left: what it was ever given."""
        scope = self._emitter.scope
        if isinstance(manager, cst.Call):
            func = manager.func
            if self._resolver.known_calls.is_library(func, scope):
                return []
            if isinstance(func, cst.Attribute):
                refs = self._objects.subjects(func.value, scope)
                if self._is_torchs(refs, func.attr.value):
                    return []
            reached = self._given(manager)
        else:
            refs = self._objects.subjects(manager, scope)
            reached = [held for ref in refs for held in self._inventory.held_by(ref)]
        return [ref for ref in reached if self._is_within_reach(ref, for_effect=True)]

    def _given(self, call: cst.Call) -> list[Ref]:
        return self._objects.given_to(call, self._emitter.scope)

    def _is_torchs(self, refs: Refs, name: str) -> bool:
        """A method of torch's own that leaves gradients alone: `net.train()`, `w.add_(x)`."""
        if not refs:
            return False
        things = {self._inventory.thing(ref) for ref in refs}
        return (
            name.endswith(IN_PLACE)
            or Thing.LAUNCHER in things
            or any(thing is not None and name in METHODS_OF.get(thing, ()) for thing in things)
        )

    def _is_passive(self, refs: Refs) -> bool:
        """A list, a logger, a queue: whatever it is given, it does nothing to that."""
        return bool(refs) and all(
            self._inventory.thing(ref) in (None, Thing.OTHER)
            and ref in self._inventory.assigned
            and all(map(self._resolver.known_calls.is_passive, self._inventory.assigned[ref]))
            for ref in refs
        )

    def _is_within_reach(self, ref: Ref, *, for_effect: bool) -> bool:
        """Whether code that is given this object could clear an owner by way of it."""
        thing = self._inventory.thing(ref)
        if thing is Thing.MODULE:
            return for_effect
        return thing in (Thing.OPTIMIZER, Thing.SCALER) or self._inventory.leads_to_optimizer(ref)

    def _through_receiver(self, ref: Ref, name: str, for_effect: bool) -> list[Ref]:
        """What a method can reach through its own object."""
        thing = self._inventory.thing(ref)
        within = self._emitter.scope.within
        touched: list[Ref] = []
        if thing is Thing.OPTIMIZER:
            touched.append(ref)
        elif thing is Thing.MODULE and for_effect and ref not in self._inventory.constructed:
            # A network of a class out of view: `gan.reset()` may clear what it owns.
            touched.append(ref)
        if within is not None:
            if ref == within.instance and self._is_inherited(name):
                touched.append(ref)
            elif within.instance in self._inventory.known_to_others and for_effect:
                # A callback with a back-reference: `cb.on_batch()` may clear what the trainer has.
                touched.append(within.instance)
        held = (*self._inventory.held_by(ref), *self._inventory.held_by(ref.child(name)))
        return touched + [
            part for part in held if self._is_within_reach(part, for_effect=for_effect)
        ]

    def _is_inherited(self, name: str) -> bool:
        """`self.name` is set nowhere in view, so it comes from a base class that is not read."""
        within = self._emitter.scope.within
        if within is None or not self._has_unread_base():
            return False
        is_set = self._resolver.classes.held_by(within, name)
        return not is_set and self._inventory.thing(within.instance.child(name)) is None

    def _has_unread_base(self) -> bool:
        within = self._emitter.scope.within
        return within is not None and bool(self._resolver.classes.unread_bases(within))

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
