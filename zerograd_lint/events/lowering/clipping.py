"""Calls that clip gradients: of whom, and whether anything is left of them."""

from __future__ import annotations

import libcst as cst

from ...program import Block
from ...vocabulary.things import Thing
from ..event import Clip, Escape, Read
from ..objects.resolve import Refs
from ..objects.resolver import Resolver
from .call_arguments import leaves_nothing, limit_may_carry_scale, only_measures
from .emitter import Emitter


class Clipping:
    """Lowers `clip_grad_norm_` and its like."""

    def __init__(self, resolver: Resolver, emitter: Emitter) -> None:
        self._resolver = resolver
        self._emitter = emitter

    def effect(self, call: cst.Call, refs: Refs, spelt: cst.BaseExpression) -> Block:
        """`spelt` lists the parameters; `refs` are the objects that the receiver stands for."""
        scope = self._emitter.scope
        clipped = self._resolver.parameters.owners(spelt, scope) or self._of_optimizer(spelt)
        if not clipped and Thing.MODULE in map(self._resolver.inventory.thing, refs):
            clipped = refs  # FSDP's `model.clip_grad_norm_(1.0)`
        if leaves_nothing(call, scope):
            return self._emitter.emit(Escape(), clipped or (None,), call, spelt)
        kind = Read if only_measures(call) else Clip
        cut = kind(through=clipped, measures=not limit_may_carry_scale(call, scope))
        return self._emitter.emit(cut, (None,), call, spelt)

    def _of_optimizer(self, spelt: cst.BaseExpression) -> Refs:
        """What an optimizer covers that is given in the place of its parameters, as to Lightning's
        `self.clip_gradients(optimizer)`."""
        refs = self._resolver.objects.subjects(spelt, self._emitter.scope)
        if len(refs) != 1 or self._resolver.inventory.thing(refs[0]) is not Thing.OPTIMIZER:
            return ()
        return self._resolver.coverage.of(refs[0]) or ()
