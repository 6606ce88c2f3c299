"""Networks that only some passes of a loop make anew: `if i % 4 == 0: net = Net()`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...program import Block, Condition, Function, Invoke, Rebind, Ref, atoms, walk
from ...vocabulary.things import Thing
from ..objects.resolver import Resolver

_OWN_GRADIENTS = (Thing.MODULE, Thing.TENSOR)


class Renewals:
    """Finds what a branch makes anew, itself or by a method that it calls."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._definitions = {each.scope.id: each for each in resolver.index.definitions}

    def in_turn(self, test: Condition, then: Block) -> list[Ref]:
        """What the passes that a counter picks out make anew.

        In the others it may have been made anew since the last step, if that has its own turn.
        """
        if not any(atom.cycle is not None for atom in atoms(test)):
            return []
        thing = self._resolver.inventory.thing
        return sorted({ref for ref in self._rebound(then) if thing(ref) in _OWN_GRADIENTS})

    def _rebound(self, then: Block) -> Iterator[Ref]:
        for item in walk(then):
            if isinstance(item, Rebind):
                yield from item.refs
            elif isinstance(item, Invoke):
                yield from self._set_by(item.function)

    def _set_by(self, function: Function) -> Iterator[Ref]:
        """`self.reset()`: the attributes that it sets."""
        definition = self._definitions.get(function.scope)
        if definition is None:
            return
        for assign in definition.nodes(cst.Assign):
            for target in assign.targets:
                yield from self._resolver.objects.subjects(target.target, definition.scope)
