"""Calls whose body is out of view: what they can reach may come back changed."""

from __future__ import annotations

import libcst as cst

from ...program import Block, Ref
from ...syntax.literals import literal
from ...syntax.names import dotted
from ...vocabulary.calls import EFFECTS
from ...vocabulary.plain_methods import PLAIN_METHODS
from ...vocabulary.things import Thing
from ...vocabulary.unread_calls import (
    ARITHMETIC_IN_PLACE,
    GIVES_NUMBERS,
    IN_PLACE,
    METHODS_OF,
    OWN_OPERATION,
)
from ..event import Escape, Forward, HandOver, UnreadCall
from ..objects.given_parts import objects_given
from ..objects.resolve import Refs
from ..objects.resolver import Resolver
from ..scopes.scope import Scope
from .call_arguments import is_super
from .emitter import Emitter
from .handed_functions import HandedFunctions
from .unnamed_effects import UnnamedEffects


class UnreadEffects:
    """Judges unread calls by what they can reach: by argument, by receiver, by what that holds.

    A network that is merely given to a call is out of reach where the call is made for its value.
    """

    def __init__(self, resolver: Resolver, emitter: Emitter, handed: HandedFunctions) -> None:
        self._unnamed = UnnamedEffects(resolver, emitter, handed)
        self._resolver = resolver
        self._objects = resolver.objects
        self._inventory = resolver.inventory
        self._emitter = emitter

    def effect(
        self, call: cst.Call, receiver: cst.BaseExpression | None, refs: Refs, name: str
    ) -> Block:
        """`refs` are the objects that the receiver stands for."""
        unnamed = self._unnamed.effect(call, name)
        if unnamed:
            return unnamed
        if self._is_operation(call):
            return []
        is_known = self._is_known(call, refs, name)
        reaching = [] if is_known else self._reaching(call, receiver, refs, name)
        return reaching + self._unread(call, refs, name, is_known=is_known)

    def _is_operation(self, call: cst.Call) -> bool:
        """An operation of one's own, `Relu.apply(x)`: autograd runs it forward, and no backward."""
        classes, scope = self._resolver.classes, self._emitter.scope
        match call.func:
            case cst.Attribute(value=named, attr=cst.Name(value="apply")):
                owner = classes.class_named(dotted(named) or "", scope)
            case _:
                owner = classes.class_of(call.func, scope)
        return owner is not None and OWN_OPERATION in classes.foreign_bases(owner)

    def _is_known(self, call: cst.Call, refs: Refs, name: str) -> bool:
        """Whether a library is called of which it is known that it leaves gradients alone."""
        is_library = self._resolver.known_calls.is_library(call.func, self._emitter.scope)
        return is_library or self._is_torchs(refs, name)

    def _unread(self, call: cst.Call, refs: Refs, name: str, *, is_known: bool) -> Block:
        """A call in which a backward may run, from a loss that was given to it or to others."""
        scope = self._emitter.scope
        if name in PLAIN_METHODS and isinstance(call.func, cst.Attribute):
            return []
        if not any(self._is_function(argument.value) for argument in call.args):
            if is_known or self._is_passive(refs):
                return []
            called = self._objects.subjects(call.func, scope)
            if called and all(self._inventory.thing(ref) is Thing.MODULE for ref in called):
                return self._emitter.emit(Forward(), (None,), call, call.func)
            if self._resolver.makers.thing_made(call, scope) is not None:
                return []
        unread = UnreadCall(
            for_effect=self._emitter.is_unused(call),
            may_hold=self._may_hold(call.func),
            given_nothing=not call.args,
        )
        return self._emitter.emit(unread, (None,), call, call.func)

    def _may_hold(self, func: cst.BaseExpression) -> bool:
        """Whether what is called is an object of this file, and no function of another module."""
        name = dotted(func)
        return name is None or self._emitter.scope.home(name.partition(".")[0]) is not None

    def _is_function(self, node: cst.BaseExpression) -> bool:
        """A function that is handed over, to be called by whoever is given it."""
        if isinstance(node, cst.Lambda):
            return True
        home = self._emitter.scope.home(node.value) if isinstance(node, cst.Name) else None
        return home is not None and isinstance(node, cst.Name) and node.value in home.functions

    def _reaching(
        self, call: cst.Call, receiver: cst.BaseExpression | None, refs: Refs, name: str
    ) -> Block:
        """What the call can reach comes back changed, or with a backward behind it."""
        emit, scope = self._emitter.emit, self._emitter.scope
        for_effect = self._emitter.is_unused(call)
        harmless = name in ARITHMETIC_IN_PLACE or (name in GIVES_NUMBERS and not for_effect)
        if receiver is not None and (harmless or self._is_passive(refs)):
            return []
        given = self._given(call)
        if for_effect and isinstance(receiver, cst.Call) and name not in PLAIN_METHODS:
            given += self._given(receiver)  # `Helper(net).reset()`
        if receiver is None and self._is_handed_function(call.func):
            # `closure()` holds whatever the function around it could reach.
            if for_effect:
                return emit(Escape(), (None,), call, call.func)
            if not call.args:
                return emit(HandOver(), (None,), call, call.func)
        called = self._objects.subjects(call.func, scope)
        if for_effect and not refs and self._resolver.gradient_names.are_given(call, scope):
            return emit(Escape(), (None,), call, call.func)
        touched = [ref for ref in given if self._is_within_reach(ref, for_effect=for_effect)]
        passed = self._resolver.handed_on.passed(given, (*refs, *called))
        touched += [part for part in passed if self._is_within_reach(part, for_effect=for_effect)]
        for ref in refs:
            touched += self._through_receiver(ref, name, for_effect)
        for ref in called:
            # A network that was given the optimizer may do anything with it in its forward.
            touched += self._inventory.optimizers_in(ref)
        if receiver is not None and is_super(receiver) and self._has_unread_base():
            assert scope.within is not None
            touched.append(scope.within.instance)
        handed = self._start_of_backward(call, receiver, given, refs, name) - set(touched)
        escaped = emit(Escape(), touched, call, call.func)
        return escaped + emit(HandOver(), sorted(handed), call, call.func)

    def _is_handed_function(self, func: cst.BaseExpression) -> bool:
        """A function that came as an argument, or was made by another function of the file.

        Not a network, and not a class of the file.
        """
        if not isinstance(func, cst.Name):
            return False
        home = self._emitter.scope.home(func.value)
        if home is None or not (func.value in home.parameters or self._is_made(func.value, home)):
            return False
        refs = self._objects.subjects(func, self._emitter.scope)
        return all(self._inventory.thing(ref) is None for ref in refs)

    def _is_made(self, name: str, home: Scope) -> bool:
        """`step, held = make(data)`, where `make` is read: what is given back holds its locals."""
        return any(
            value is not None
            and isinstance(value.expression, cst.Call)
            and self._resolver.known_calls.is_in_view(value.expression.func, value.scope)
            for value in home.assigned.get(name, ())
        )

    def dispatched(self, call: cst.Call, chosen: cst.Call) -> Block:
        """`getattr(callback, event)(trainer)`: it reaches both the callback and the trainer."""
        reached: list[Ref | None] = [*self._given(call), *self._given(chosen)]
        named = literal(chosen.args[1].value) if len(chosen.args) > 1 else None
        if named in EFFECTS:
            reached.append(None)
        escaped = self._emitter.emit(Escape(), reached, call, call)
        return escaped + self._unread(call, (), "", is_known=self._is_known(call, (), ""))

    def around(self, manager: cst.BaseExpression) -> Block:
        """What a context manager that is not read may do when it is entered, and when it is left.

        It can clear what it was ever given, and start a backward from what the block has made.
        """
        if self._is_known_manager(manager):
            return []
        scope, emit = self._emitter.scope, self._emitter.emit
        if isinstance(manager, cst.Call):
            reached = self._given(manager)
        else:
            refs = self._objects.subjects(manager, scope)
            reached = [held for ref in refs for held in self._inventory.held_by(ref)]
        owners = [ref for ref in reached if self._is_within_reach(ref, for_effect=True)]
        unread = emit(UnreadCall(for_effect=True), (None,), manager, manager)
        return emit(Escape(), owners, manager, manager) + unread

    def _is_known_manager(self, manager: cst.BaseExpression) -> bool:
        """Whether a context is torch's, another library's or Python's, on every path to it."""
        scope = self._emitter.scope
        match manager:
            case cst.Call(func=func):
                if self._resolver.known_calls.is_library(func, scope):
                    return True
                if isinstance(func, cst.Attribute):
                    refs = self._objects.subjects(func.value, scope)
                    return self._is_torchs(refs, func.attr.value)
                return False
            case cst.IfExp(body=body, orelse=orelse):
                return self._is_known_manager(body) and self._is_known_manager(orelse)
            case cst.Name() | cst.Attribute():
                refs = self._objects.subjects(manager, scope)
                values = [v for ref in refs for v in self._inventory.assigned.get(ref, ())]
                return bool(values) and all(
                    isinstance(value.expression, cst.Call)
                    and self._resolver.known_calls.is_library(value.expression.func, value.scope)
                    for value in values
                )
        return False

    def _given(self, call: cst.Call) -> list[Ref]:
        return objects_given(call, self._emitter.scope, self._objects)

    def _is_torchs(self, refs: Refs, name: str) -> bool:
        """A method of torch's own that leaves gradients alone: `net.train()`, `w.add_(x)`."""
        if not refs:
            return False
        things = {self._inventory.thing(ref) or self._known_instance(ref) for ref in refs}
        return (
            name.endswith(IN_PLACE)
            or Thing.LAUNCHER in things
            or any(thing is not None and name in METHODS_OF.get(thing, ()) for thing in things)
        )

    def _known_instance(self, ref: Ref) -> Thing | None:
        """What `self` is, where all bases of its class are read or known."""
        within = self._emitter.scope.within
        if within is None or ref != within.instance or self._has_unread_base():
            return None
        return self._resolver.makers.instance_of(within)

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
        if thing is Thing.MODULE or (for_effect and self._inventory.is_in_network(ref)):
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
                # Whatever writes something down, as `losses.append(x)` does, is no callback.
                if name not in PLAIN_METHODS:
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
        self,
        call: cst.Call,
        receiver: cst.BaseExpression | None,
        given: list[Ref],
        refs: Refs,
        name: str,
    ) -> set[Ref]:
        """What unread code could start a backward from; callable objects start none."""
        scope = self._emitter.scope
        if name in PLAIN_METHODS:
            return set()
        if receiver is None:
            local = scope.home(dotted(call.func) or "") is not None
            return set() if local else set(given)
        if scope.within is not None and any(scope.within.instance.contains(ref) for ref in refs):
            return {*given, *refs}
        return set(given)
