"""What a call does to gradients: by its body if the file has it, else by the vocabulary."""

from __future__ import annotations

import libcst as cst

from ...argument import Verdict
from ...config.settings import Settings
from ...program import Block, Loop, Ref
from ...syntax.names import code_of, dotted
from ...vocabulary.calls import EFFECTS, Effect, Idiom, On, function_idiom, method_idiom
from ...vocabulary.things import Thing
from ...vocabulary.unread_calls import EXCHANGES_GRADIENTS, REGISTERS_HOOK
from ..event import Consume, Escape, HandOver, Unscale, Update, Zero
from ..objects.collections import is_group
from ..objects.resolve import Refs
from ..objects.resolver import Resolver
from ..scopes.decorated import has_acting_decorator
from ..scopes.open_methods import is_left_to_subclasses, is_overridden
from .argument_tests import ArgumentTests
from .backward_passes import BackwardPasses
from .call_arguments import is_super, keeps_buffers, takes_loss
from .callees import Callee, Callees
from .clipping import Clipping
from .emitter import Emitter
from .first_place import first_place
from .handed_functions import goes_backward, touches_gradients
from .library_methods import LibraryMethods
from .side_events import side_event
from .unread_effects import UnreadEffects


class CallEffects:
    """The effect of a call itself, after its receiver and its arguments."""

    def __init__(
        self,
        resolver: Resolver,
        emitter: Emitter,
        callees: Callees,
        arguments: ArgumentTests,
        unread: UnreadEffects,
        settings: Settings,
    ) -> None:
        self._resolver = resolver
        self._emitter = emitter
        self._callees = callees
        self._arguments = arguments
        self._backward_passes = BackwardPasses(resolver, emitter)
        self._clipping = Clipping(resolver, emitter)
        self._library_methods = LibraryMethods(resolver.inventory, emitter)
        self._unread = unread
        self._zeroing_helpers = frozenset(settings.zeroing_helpers)
        self._backward_functions = frozenset(settings.backward_functions)
        self._step_functions = frozenset(settings.step_functions)
        self._configured = any(
            (self._zeroing_helpers, self._backward_functions, self._step_functions)
        )

    def effect(self, call: cst.Call, target: Ref | None) -> Block:
        """What running the callee does; `target` is what its result is given to."""
        scope = self._emitter.scope
        # Classes of the file that are optimizers or modules keep the meaning of torch's methods.
        callee = self._callees.find(call, target, scope)
        if callee is not None:
            return self._invoked(callee, call)
        match call.func:
            case cst.Attribute(value=receiver, attr=cst.Name(value=method)):
                return self._method(call, receiver, method)
            case cst.Name(value=name):
                return self._function(call, name)
            case cst.Call(func=cst.Name(value="getattr")) as chosen:
                return self._unread.dispatched(call, chosen)
        return self._unread.effect(call, None, (), "")

    def _invoked(self, callee: Callee, call: cst.Call) -> Block:
        definition, scope = callee.definition, self._emitter.scope
        binding = self._callees.binding(callee, call, scope)
        tests = self._arguments.of(callee, call, scope)
        invoked: Block = [self._emitter.invoke(definition, binding, call, tests)]
        if definition.unread_decorator or has_acting_decorator(definition):
            before = self._emitter.emit(Escape(), (None,), call, call.func)
            return before + invoked + self._emitter.emit(Escape(), (None,), call, call.func)
        owner = definition.scope.within
        if is_overridden(call, definition, scope, self._resolver.index):
            return invoked + self._emitter.emit(Escape(), (None,), call, call.func)
        if owner and is_left_to_subclasses(definition):
            return invoked + self._filled_in(call, owner.instance)
        return invoked

    def _filled_in(self, call: cst.Call, instance: Ref) -> Block:
        """What a subclass does in a method that is left to it, with what the instance holds."""
        if not self._emitter.is_statement(call):  # the loss may have been backpropagated
            return self._emitter.emit(HandOver(), (None,), call, call.func)
        held = self._resolver.inventory.optimizers_of(instance)
        return self._emitter.emit(Escape(), held, call, call.func)

    # --- methods ----------------------------------------------------------------------------

    def _method(self, call: cst.Call, receiver: cst.BaseExpression, method: str) -> Block:
        scope = self._emitter.scope
        name = dotted(call.func)
        if name is not None:
            imported = scope.imports.full(name)
            if imported is not None and scope.home(name.partition(".")[0]) is None:
                return self._function(call, imported)
        refs = self._resolver.objects.subjects(receiver, scope)
        things = {self._resolver.inventory.thing(ref) for ref in refs}
        if Thing.ENGINE in things or is_group(receiver, scope):
            return []
        if method in REGISTERS_HOOK and method not in EXCHANGES_GRADIENTS:
            self._register_hook(call, receiver, refs)
        idiom = method_idiom(method, things, given=bool(call.args))
        if idiom is None:
            beside = side_event(method, call, receiver, refs, self._emitter)
            return (
                beside
                or self._library_methods.effect(call, receiver, refs, method)
                or self._explained(call, method)
                or self._unread.effect(call, receiver, refs, method)
            )
        if idiom.closure:
            return self._step_with_closure(call, receiver, refs)
        if idiom.on is On.LOSS:
            return self._backward(call, receiver, refs)
        applied = self._apply(idiom, call, receiver, refs)
        before, after = self._own_class(idiom, call, receiver, refs)
        return [*before, *applied, *after]

    def _register_hook(
        self, call: cst.Call, receiver: cst.BaseExpression, refs: Refs | tuple[None]
    ) -> None:
        """A hook that clears gradients, or that cannot be read, may do so at any time."""
        first = call.args[0].value if call.args else None
        hook = None
        if first is not None:
            hook = self._callees.referenced(first, self._emitter.scope)
        if hook is None or touches_gradients(hook.definition.node):
            self._emitter.defer_zero(refs, call, receiver)

    def _own_class(
        self, idiom: Idiom, call: cst.Call, receiver: cst.BaseExpression, refs: Refs
    ) -> tuple[Block, Block]:
        """What an optimizer class of this file does before and after what every optimizer does."""
        owner = self._resolver.classes.class_of(receiver, self._emitter.scope)
        if owner is None or len(refs) != 1:
            return [], []
        if idiom.effect is Effect.ZERO:
            clear = self._resolver.classes.method(owner, "zero_grad")
            if clear is not None:
                return [self._emitter.invoke(clear, ((owner.instance, refs[0]),), call)], []
        if idiom.effect is Effect.CONSUME and self._resolver.makers.clears_itself(owner):
            return [], self._emitter.emit(Escape(), refs, call, receiver)
        return [], []

    def _backward(self, call: cst.Call, receiver: cst.BaseExpression, refs: Refs) -> Block:
        """`loss.backward()`, `accelerator.backward(loss)`, `optimizer.backward(loss)`."""
        scope = self._emitter.scope
        resolved = self._resolver.objects.resolve(receiver, scope)
        if any(ref.scope == "import" for ref in resolved):
            return []
        is_self = isinstance(receiver, cst.Name) and receiver.value == scope.instance_name
        if is_self or is_super(receiver):
            # Inherited from elsewhere: whatever it does is done to the instance.
            return self._emitter.emit(Escape(), (None,), call, receiver)
        things = {self._resolver.inventory.thing(ref) for ref in refs}
        known = things & {Thing.LAUNCHER, Thing.OPTIMIZER}
        if (takes_loss(call) and not known) or self._gives_value(call):
            # `engine.backward(loss)`: an engine decides for itself what becomes of gradients.
            return self._emitter.emit(Escape(), (None,), call, receiver)
        return self._backward_passes.deposit(call, receiver)

    def _gives_value(self, call: cst.Call) -> bool:
        """`ys.append(transform.backward(y, x))`: what is made of arguments is no tensor's."""
        given = any(argument.keyword is None for argument in call.args)
        return given and not self._emitter.is_unused(call)

    def _step_with_closure(self, call: cst.Call, receiver: cst.BaseExpression, refs: Refs) -> Block:
        """`opt.step(closure)` runs the closure first; anything else given to it is unknown."""
        emit = self._emitter.emit
        argument = call.args[0]
        is_closure = argument.keyword is None or argument.keyword.value == "closure"
        if isinstance(argument.value, cst.Name) and argument.value.value == "None":
            return emit(Consume(), refs, call, receiver)
        closure = None
        if is_closure:
            closure = self._callees.referenced(argument.value, self._emitter.scope)
        if closure is None:
            named = isinstance(argument.value, cst.Name) and is_closure
            return emit(Escape(), refs if named else (None,), call, receiver)
        evaluated: Block = [self._emitter.invoke(closure.definition, closure.bound, call)]
        if not goes_backward(closure.definition) and not self._is_torchs_step(receiver, refs):
            # It may do that by itself, with the loss that the closure gives back.
            return evaluated + emit(Escape(), (None,), call, receiver)
        step = Consume(closure_start=first_place(closure.definition))
        applied = emit(step, refs, call, receiver)
        if any(self._resolver.inventory.repeats_closure(ref) for ref in refs):
            return [Loop(evaluated + applied)]
        return evaluated + applied

    def _is_torchs_step(self, receiver: cst.BaseExpression, refs: Refs) -> bool:
        """A known optimizer, with no `step` that a class in view has written for it."""
        of = self._resolver.identity.of
        owner = self._resolver.classes.class_of(receiver, self._emitter.scope)
        own = owner is not None and self._resolver.classes.method(owner, "step") is not None
        return not own and all(of(ref, Thing.OPTIMIZER).verdict is Verdict.YES for ref in refs)

    # --- functions --------------------------------------------------------------------------

    def _function(self, call: cst.Call, name: str) -> Block:
        full = self._emitter.scope.imports.full(name) or name
        idiom = function_idiom(full)
        if idiom is not None:
            return self._apply(idiom, call, call.func, ())
        last = full.rpartition(".")[2]
        if last in REGISTERS_HOOK:
            self._register_hook(call, call.func, (None,))
        explained = self._explained(call, last, full)
        if not explained and EFFECTS.get(last) is Effect.DEPOSIT:
            # A backward of another library: what it reaches is kept where only that library looks.
            return self._emitter.emit(Escape(), (None,), call, call.func)
        return explained or self._unread.effect(call, None, (), last)

    def _explained(self, call: cst.Call, *names: str) -> Block:
        """A function the project's own settings explain."""
        if not self._configured:
            return []
        spelt = {*names, dotted(call.func) or ""}
        first = call.args[0].value if call.args else None
        scope = self._emitter.scope
        subjects = self._resolver.objects.subjects(first, scope) if first is not None else ()
        if spelt & self._zeroing_helpers:
            return self._emitter.emit(Zero(), subjects or (None,), call, first or call.func)
        if spelt & self._backward_functions:
            return self._backward_passes.deposit(call, call.func)
        if spelt & self._step_functions and first is not None:
            return self._emitter.emit(Consume(), subjects, call, first)
        return []

    # --- meanings ---------------------------------------------------------------------------

    def _apply(
        self, idiom: Idiom, call: cst.Call, receiver: cst.BaseExpression, refs: Refs
    ) -> Block:
        """The event that an idiom of the vocabulary is."""
        if idiom.effect is Effect.DEPOSIT:
            return self._backward_passes.deposit(call, receiver)
        scope = self._emitter.scope
        spelt: cst.BaseExpression = receiver
        subjects: tuple[Ref | None, ...] = refs
        if idiom.on is On.FIRST:
            if not call.args:
                return []
            spelt = call.args[0].value
            subjects = self._resolver.objects.subjects(spelt, scope)
        elif idiom.on is On.EVERYTHING:
            subjects = (None,)
        if idiom.effect is Effect.CLIP:
            return self._clipping.effect(call, refs, spelt)
        if idiom.effect is Effect.ZERO:
            return self._zero(call, receiver, subjects, spelt)
        scaler = self._scaler(receiver) if idiom.scaled else None
        event = _SCALER_EVENTS[idiom.effect](scaler=scaler)
        return self._emitter.emit(event, subjects, call, spelt)

    def _zero(
        self,
        call: cst.Call,
        receiver: cst.BaseExpression,
        subjects: tuple[Ref | None, ...],
        spelt: cst.BaseExpression,
    ) -> Block:
        given = self._owners_given(call)
        if given:
            # `strategy.zero_grad(optimizer)` clears what it is given.
            receiver = spelt = call.args[0].value
            subjects = given
        if not subjects:
            return self._emitter.emit(Escape(), (None,), call, spelt)
        keeps = keeps_buffers(call)
        shorter = f"{code_of(receiver)}.zero_grad()" if keeps else ""
        things = {self._resolver.inventory.thing(ref) for ref in subjects if ref is not None}
        zero = Zero(of_module=things == {Thing.MODULE}, leaves_none=not keeps, shorter=shorter)
        return self._emitter.emit(zero, subjects, call, spelt)

    def _owners_given(self, call: cst.Call) -> Refs:
        """The optimizers and networks that a zeroing is given, other than how it is to clear."""
        if not call.args or call.args[0].keyword is not None:
            return ()
        refs = self._resolver.objects.subjects(call.args[0].value, self._emitter.scope)
        things = {self._resolver.inventory.thing(ref) for ref in refs}
        return refs if things and things <= {Thing.OPTIMIZER, Thing.MODULE} else ()

    def _scaler(self, receiver: cst.BaseExpression) -> Ref | None:
        scalers = self._resolver.objects.subjects(receiver, self._emitter.scope)
        return scalers[0] if len(scalers) == 1 else None


_SCALER_EVENTS = {Effect.CONSUME: Consume, Effect.UNSCALE: Unscale, Effect.UPDATE: Update}
"""The events that may go through a loss scaler."""
