"""Backward passes: which loss they start from, what it was made of, and what scales it."""

from __future__ import annotations

import libcst as cst

from ...program import Block, Ref
from ...vocabulary import calls
from ...vocabulary.things import Thing
from ..event import Deposit
from ..objects.loss_division import LossDivision
from ..objects.losses import calls_in, divisors, is_argument
from ..objects.resolve import Refs
from ..objects.resolver import Resolver
from .emitter import Emitter


class BackwardPasses:
    """Writes down backward passes."""

    def __init__(self, resolver: Resolver, emitter: Emitter) -> None:
        self._resolver = resolver
        self._emitter = emitter
        self._division = LossDivision(resolver.index, resolver.inventory.assigned.keys())

    def deposit(self, call: cst.Call, spelt: cst.BaseExpression) -> Block:
        """A call that runs a backward pass."""
        resolver, scope = self._resolver, self._emitter.scope
        event = Deposit(
            inputs=self._inputs(call),
            scaler=self._scaler(call),
            divided=self._division.may_divide(call, scope),
            divisors=divisors(call, scope),
            sources=resolver.sources(call, scope),
            origins=resolver.provenance.of(call, scope),
            loss_is_argument=is_argument(call, scope),
            made_by=calls_in(call, scope),
        )
        frame = self._emitter.frame
        resolver.freezing.note_backward(frame.function.scope, frame.loops)
        return self._emitter.emit(event, (None,), call, spelt)

    def _inputs(self, call: cst.Call) -> Refs | None:
        for argument in call.args:
            if argument.keyword is not None and argument.keyword.value == calls.BACKWARD_INPUTS:
                return self._resolver.parameters.owners(argument.value, self._emitter.scope)
        return None

    def _scaler(self, call: cst.Call) -> Ref | None:
        """`scaler.scale(loss).backward()`, also when the scaled loss was named first."""
        match call.func:
            case cst.Attribute(value=cst.Name(value=name)):
                scalers = {
                    self._scales(value.expression) if value is not None else None
                    for value in self._emitter.scope.values(name)
                }
                # `if scaler: loss = scaler.scale(loss)` scales it or not: it is not known.
                return scalers.pop() if len(scalers) == 1 else None
            case cst.Attribute(value=expression):
                return self._scales(expression)
        return None

    def _scales(self, node: cst.BaseExpression) -> Ref | None:
        match node:
            case cst.Call(
                func=cst.Attribute(value=receiver, attr=cst.Name(value=calls.SCALES_LOSS))
            ):
                refs = self._resolver.objects.subjects(receiver, self._emitter.scope)
                if len(refs) == 1 and self._resolver.inventory.thing(refs[0]) is Thing.SCALER:
                    return refs[0]
        return None
