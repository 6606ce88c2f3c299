"""What a call does to gradients: by its body if the file has it, else by the vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from ...program import Block, Invoke, Loop, Ref
from ...syntax.names import code_of, dotted
from ...syntax.walk import inside
from ...vocabulary.calls import (
    BACKWARD_INPUTS,
    Effect,
    Idiom,
    On,
    function_idiom,
    method_idiom,
)
from ...vocabulary.things import Thing
from ...vocabulary.unread_calls import (
    LEAVES_GRADIENTS_ALONE,
    MAY_CHANGE_GRADIENTS,
    MAY_TRAIN,
    MAY_ZERO,
    ONLY_ANSWERS,
)
from ..event import Kind, demand_buffer
from ..objects.losses import is_divided, is_given, sources
from ..objects.resolve import Refs
from .buffers import buffers_in, cleared_in_place, overwritten_in_place, updated_in_place
from .callees import Callees

if TYPE_CHECKING:
    from .module import Lowering

_KINDS = {
    Effect.DEPOSIT: Kind.DEPOSIT,
    Effect.CONSUME: Kind.CONSUME,
    Effect.ZERO: Kind.ZERO,
    Effect.CLIP: Kind.READ,
    Effect.UNSCALE: Kind.UNSCALE,
    Effect.UPDATE: Kind.UPDATE,
}
"""The event that each effect of a call becomes."""


class CallEffects:
    def __init__(self, lowering: Lowering) -> None:
        self._lowering = lowering
        self._callees = Callees(lowering)

    def lower(self, call: cst.Call, made: Ref | None, quiet: bool) -> Block:
        """Receiver, then arguments, then the call itself."""
        lowering = self._lowering
        cleared = cleared_in_place(call)
        if cleared is not None:
            return lowering.emit(
                Kind.ZERO,
                lowering.subjects(cleared),
                call,
                cleared,
                by_hand=True,
                needs_buffer=True,
            )
        replaced = overwritten_in_place(call)
        if replaced is not None:
            return lowering.assignments.replaced_by_hand(replaced, call)
        changed = updated_in_place(call)
        update: Block = []
        if changed is not None:
            for argument in call.args:
                update = update or lowering.assignments.consumed_by_hand(changed, argument.value)
        quiet = quiet or bool(update)
        lowered: Block = []
        if isinstance(call.func, cst.Attribute):
            lowered.extend(lowering.expressions.lower(call.func.value, quiet=quiet))
            if buffers_in(call.func.value):
                demand_buffer(lowered)
        elif isinstance(call.func, cst.Call):
            lowered.extend(lowering.expressions.lower(call.func, quiet=quiet))
        for argument in call.args:
            lowered.extend(lowering.expressions.lower(argument.value, quiet=quiet))
        return lowered + update + ([] if update else self._effect(call, made))

    def _effect(self, call: cst.Call, made: Ref | None) -> Block:
        # Classes of the file that are optimizers or modules keep the meaning of torch's methods.
        callee = self._callees.find(call, made)
        if callee is not None:
            return [Invoke(callee.definition.function, self._callees.binding(callee, call))]
        match call.func:
            case cst.Attribute(value=receiver, attr=cst.Name(value=method)):
                return self._method(call, receiver, method)
            case cst.Name(value=name):
                return self._function(call, name)
        return []

    # --- methods ----------------------------------------------------------------------------

    def _method(self, call: cst.Call, receiver: cst.BaseExpression, method: str) -> Block:
        lowering = self._lowering
        name = dotted(call.func)
        imported = lowering.index.imports.full(name) if name is not None else None
        if imported is not None and lowering.scope.home(name.partition(".")[0]) is None:  # type: ignore[union-attr]
            return self._function(call, imported)
        refs = lowering.subjects(receiver)
        things = {lowering.inventory.thing(ref) for ref in refs}
        if Thing.ENGINE in things or lowering.objects.is_group(receiver, lowering.scope):
            return []
        idiom = method_idiom(method, things, given=bool(call.args))
        if idiom is not None:
            if idiom.closure:
                return self._step_with_closure(call, receiver, refs)
            applied = self._apply(idiom, call, receiver, refs)
            before, after = self._own_class(idiom, call, receiver, refs)
            return [*before, *applied, *after]
        return self._configured(call, method) or self._unseen(call, receiver, refs, method)

    def _own_class(
        self, idiom: Idiom, call: cst.Call, receiver: cst.BaseExpression, refs: Refs
    ) -> tuple[Block, Block]:
        """What an optimizer class of this file does before and after what every optimizer does."""
        lowering = self._lowering
        owner = lowering.objects.class_of(receiver, lowering.scope)
        if owner is None or len(refs) != 1:
            return [], []
        if idiom.effect is Effect.ZERO:
            clear = lowering.objects.method(owner, "zero_grad")
            if clear is not None:
                return [Invoke(clear.function, ((owner.instance, refs[0]),))], []
        if idiom.effect is Effect.CONSUME and lowering.inventory.clears_itself(owner):
            return [], lowering.emit(Kind.ESCAPE, refs, call, receiver)
        return [], []

    def _backward(self, call: cst.Call, receiver: cst.BaseExpression, refs: Refs) -> Block:
        lowering = self._lowering
        if any(ref.scope == "import" for ref in lowering.objects.resolve(receiver, lowering.scope)):
            return []
        if _is_self(receiver, lowering) or _is_super(receiver):
            # Inherited from elsewhere: whatever it does is done to the instance.
            return lowering.emit(Kind.ESCAPE, (None,), call, receiver)
        things = {lowering.inventory.thing(ref) for ref in refs}
        if _given_a_loss(call) and not things & {Thing.LAUNCHER, Thing.OPTIMIZER}:
            # `engine.backward(loss)`: an engine decides for itself what becomes of gradients.
            return lowering.emit(Kind.ESCAPE, (None,), call, receiver)
        return self._deposit(call, receiver)

    def _deposit(self, call: cst.Call, spelt: cst.BaseExpression) -> Block:
        lowering = self._lowering
        inputs: Refs | None = None
        for argument in call.args:
            if argument.keyword is not None and argument.keyword.value == BACKWARD_INPUTS:
                inputs = lowering.inventory.parameters_in(argument.value, lowering.scope)
        return lowering.emit(
            Kind.DEPOSIT,
            (None,),
            call,
            spelt,
            inputs=inputs,
            scaler=self._scaler_of(call),
            divided=is_divided(call, lowering.scope),
            sources=sources(call, lowering),
            origins=lowering.provenance.of(call, lowering.scope),
            given=is_given(call, lowering.scope),
        )

    def _scaler_of(self, call: cst.Call) -> Ref | None:
        """`scaler.scale(loss).backward()`, also when the scaled loss was named first."""
        lowering = self._lowering
        match call.func:
            case cst.Attribute(value=cst.Name(value=name)):
                home = lowering.scope.home(name)
                values = home.assigned.get(name, []) if home is not None else []
                scalers = {
                    self._scales(value.expression) if value is not None else None
                    for value in values
                }
                # `if scaler: loss = scaler.scale(loss)` scales it or not: nobody can tell.
                return scalers.pop() if len(scalers) == 1 else None
            case cst.Attribute(value=expression):
                return self._scales(expression)
        return None

    def _scales(self, node: cst.BaseExpression) -> Ref | None:
        match node:
            case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(value="scale"))):
                refs = self._lowering.subjects(receiver)
                if len(refs) == 1 and self._lowering.inventory.thing(refs[0]) is Thing.SCALER:
                    return refs[0]
        return None

    def _step_with_closure(self, call: cst.Call, receiver: cst.BaseExpression, refs: Refs) -> Block:
        """`opt.step(closure)` runs the closure first; anything else given to it is unknown."""
        lowering = self._lowering
        argument = call.args[0]
        keyword = argument.keyword.value if argument.keyword is not None else "closure"
        closure = self._callees.referenced(argument.value) if keyword == "closure" else None
        if isinstance(argument.value, cst.Name) and argument.value.value == "None":
            return lowering.emit(Kind.CONSUME, refs, call, receiver)
        if closure is None:
            if isinstance(argument.value, cst.Name) and keyword == "closure":
                return lowering.emit(Kind.ESCAPE, refs, call, receiver)
            return lowering.emit(Kind.ESCAPE, (None,), call, receiver)
        evaluated: Block = [Invoke(closure.definition.function)]
        applied = lowering.emit(
            Kind.CONSUME,
            refs,
            call,
            receiver,
            closure_start=lowering.first_place(closure.definition),
        )
        if any(lowering.inventory.repeats_closure(ref) for ref in refs):
            return [Loop(evaluated + applied)]
        return evaluated + applied

    # --- functions --------------------------------------------------------------------------

    def _function(self, call: cst.Call, name: str) -> Block:
        full = self._lowering.index.imports.full(name) or name
        idiom = function_idiom(full)
        if idiom is not None:
            return self._apply(idiom, call, call.func, ())
        last = full.rpartition(".")[2]
        return self._configured(call, last, full) or self._unseen(call, None, (), last)

    def _configured(self, call: cst.Call, *names: str) -> Block:
        """A function the project's own settings explain."""
        settings, lowering = self._lowering.settings, self._lowering
        spelt = {*names, dotted(call.func) or ""}
        first = call.args[0].value if call.args else None
        subjects = lowering.subjects(first) if first is not None else ()
        if spelt & set(settings.zeroing_helpers):
            return lowering.emit(Kind.ZERO, subjects or (None,), call, first or call.func)
        if spelt & set(settings.backward_functions):
            return self._deposit(call, call.func)
        if spelt & set(settings.step_functions) and first is not None:
            return lowering.emit(Kind.CONSUME, subjects, call, first)
        return []

    # --- meanings ---------------------------------------------------------------------------

    def _apply(
        self, idiom: Idiom, call: cst.Call, receiver: cst.BaseExpression, refs: Refs
    ) -> Block:
        lowering = self._lowering
        spelt: cst.BaseExpression = receiver
        subjects: tuple[Ref | None, ...] = refs
        match idiom.on:
            case On.LOSS:
                return self._backward(call, receiver, refs)
            case On.FIRST:
                if not call.args:
                    return []
                spelt = call.args[0].value
                subjects = lowering.subjects(spelt)
            case On.EVERYTHING:
                if idiom.effect is Effect.DEPOSIT:
                    return self._deposit(call, receiver)
                subjects = (None,)
        details: dict[str, object] = {}
        if idiom.scaled:
            scalers = lowering.subjects(receiver)
            details["scaler"] = scalers[0] if len(scalers) == 1 else None
        if idiom.effect is Effect.ZERO:
            keeps = _keyword(call, "set_to_none") == "False" or _first_literal(call) == "False"
            details["leaves_none"] = not keeps
            if keeps:
                details["slow"] = f"{code_of(receiver)}.zero_grad()"
            if not subjects:
                return lowering.emit(Kind.ESCAPE, (None,), call, spelt)
        if idiom.effect is Effect.CLIP:
            through = lowering.inventory.parameters_in(spelt, lowering.scope) or ()
            return lowering.emit(Kind.READ, (None,), call, spelt, through=through)
        return lowering.emit(_KINDS[idiom.effect], subjects, call, spelt, **details)

    def _unseen(
        self, call: cst.Call, receiver: cst.BaseExpression | None, refs: Refs, name: str
    ) -> Block:
        """A callee that cannot be seen: what it was given may come back changed."""
        lowering = self._lowering
        inventory = lowering.inventory
        if name in MAY_ZERO:
            return lowering.emit(Kind.ESCAPE, (None,), call, call.func)
        if name in LEAVES_GRADIENTS_ALONE or self._is_torch(call):
            return []
        if not call.args and name in ONLY_ANSWERS:
            return []
        may_change = name in MAY_CHANGE_GRADIENTS and not self._is_module(call)
        given: list[Ref] = []
        for argument in call.args:
            given.extend(lowering.subjects(argument.value))
        touched = [
            ref
            for ref in given
            if may_change or inventory.thing(ref) in (Thing.OPTIMIZER, Thing.SCALER)
        ]
        for ref in refs:
            thing = inventory.thing(ref)
            if thing is Thing.OPTIMIZER or (may_change and thing is not Thing.OTHER):
                touched.append(ref)
            if thing is not Thing.OTHER:
                touched.extend(
                    held
                    for held in inventory.held.get(ref, ())
                    if inventory.thing(held) is Thing.OPTIMIZER or name in MAY_TRAIN
                )
        if receiver is not None and _is_super(receiver) and may_change:
            within = lowering.scope.within
            touched.extend([within.instance] if within is not None else [])
        handed = self._handed(call, receiver, given, refs) - set(touched)
        return lowering.emit(Kind.ESCAPE, touched, call, call.func) + lowering.emit(
            Kind.HANDED, handed, call, call.func
        )

    def _is_module(self, call: cst.Call) -> bool:
        """`learner(x)` runs a network, whatever it is called."""
        refs = self._lowering.subjects(call.func)
        return any(self._lowering.inventory.thing(ref) is Thing.MODULE for ref in refs)

    def _is_torch(self, call: cst.Call) -> bool:
        """torch's own functions touch no gradients but where the vocabulary says so."""
        full = self._lowering.index.imports.full(dotted(call.func) or "")
        return full is not None and full.startswith("torch.")

    def _handed(
        self, call: cst.Call, receiver: cst.BaseExpression | None, given: list[Ref], refs: Refs
    ) -> set[Ref]:
        """What unseen code could start a backward from; callable objects start none."""
        lowering = self._lowering
        if receiver is None:
            local = lowering.scope.home(dotted(call.func) or "") is not None
            return set() if local else set(given)
        within = lowering.scope.within
        if within is not None and any(within.instance.contains(ref) for ref in refs):
            return {*given, *refs}
        return set(given)


def _given_a_loss(call: cst.Call) -> bool:
    """A tensor is given a gradient, if anything; whoever is given a loss is no tensor."""
    first = call.args[0] if call.args else None
    if first is None or first.keyword is not None:
        return False
    return any(
        isinstance(part, cst.Name) and "loss" in part.value.lower()
        for part in (first.value, *inside(first.value))
    )


def _keyword(call: cst.Call, name: str) -> str | None:
    for argument in call.args:
        if argument.keyword is not None and argument.keyword.value == name:
            return argument.value.value if isinstance(argument.value, cst.Name) else "?"
    return None


def _first_literal(call: cst.Call) -> str | None:
    if call.args and call.args[0].keyword is None and isinstance(call.args[0].value, cst.Name):
        return call.args[0].value.value
    return None


def _is_self(node: cst.BaseExpression, lowering: Lowering) -> bool:
    return isinstance(node, cst.Name) and node.value == lowering.scope.instance_name


def _is_super(node: cst.BaseExpression) -> bool:
    return (
        isinstance(node, cst.Call)
        and isinstance(node.func, cst.Name)
        and node.func.value == "super"
    )
