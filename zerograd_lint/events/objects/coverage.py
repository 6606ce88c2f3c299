"""What optimizers cover: as this file builds them, or as the class of their holder does."""

from __future__ import annotations

import libcst as cst

from ...program import Ref
from ...vocabulary.things import Thing
from ..scopes.scope import FileIndex, Scope
from .classes import Classes
from .configured import Configured
from .inventory import Inventory
from .makers import Makers
from .parameters import Parameters
from .resolve import Objects, Refs


class Coverage:
    """Answers for the optimizers of one file."""

    def __init__(
        self,
        index: FileIndex,
        classes: Classes,
        inventory: Inventory,
        objects: Objects,
        makers: Makers,
        parameters: Parameters,
    ) -> None:
        self._classes = classes
        self._inventory = inventory
        self._objects = objects
        self._makers = makers
        self._parameters = parameters
        self._configured = Configured(index, classes)
        self._known: dict[Ref, Refs | None] = {}

    def of(self, optimizer: Ref) -> Refs | None:
        """What an optimizer was built over; None where some of it is not known."""
        if optimizer not in self._known:
            self._known[optimizer] = None  # while it is asked for by way of itself
            built = self._inventory.covers
            made = self._configured.behind(optimizer)
            if made is not None:
                direct = self._covered_by(*made)
            else:
                direct = built[optimizer] if optimizer in built else self._of_holder(optimizer)
            self._known[optimizer] = self._expanded(direct)
        return self._known[optimizer]

    def _expanded(self, covered: Refs | None) -> Refs | None:
        """`Adam(first.param_groups)`: what the first one covers, or all that it may be."""
        if covered is None:
            return None
        parts: Refs = ()
        for part in covered:
            known = self.of(part) if self._inventory.thing(part) is Thing.OPTIMIZER else None
            parts += known if known is not None else (part,)
        return parts

    def _covered_by(self, node: cst.BaseExpression, scope: Scope) -> Refs | None:
        """What the optimizer covers that an expression makes or names."""
        if isinstance(node, cst.Call):
            is_made = self._makers.thing_made(node, scope) is Thing.OPTIMIZER
            return self._parameters.covered(node, scope) if is_made else None
        refs = self._objects.resolve(node, scope)
        return self.of(refs[0]) if len(refs) == 1 else None

    def _of_holder(self, optimizer: Ref) -> Refs | None:
        """`gan.critic.optimizer`, which the class of the critic builds over itself."""
        if not optimizer.path:
            return None
        *way, attribute = optimizer.path
        holder = Ref(optimizer.scope, optimizer.name, tuple(way))
        values = self._inventory.assigned.get(holder, ())
        classes = {self._classes.class_of(value.expression, value.scope) for value in values}
        owner = classes.pop() if len(classes) == 1 else None
        if owner is None:
            return None
        covered = self._inventory.covers.get(owner.instance.child(attribute))
        if covered is None or not all(owner.instance.contains(part) for part in covered):
            return None
        return tuple(Ref(holder.scope, holder.name, (*holder.path, *p.path)) for p in covered)
