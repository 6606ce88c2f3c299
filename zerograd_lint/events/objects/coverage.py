"""What optimizers cover: as this file builds them, or as the class of their holder does."""

from __future__ import annotations

from ...program import Ref
from ...vocabulary.things import Thing
from .classes import Classes
from .inventory import Inventory
from .resolve import Refs


class Coverage:
    """Answers for the optimizers of one file."""

    def __init__(self, classes: Classes, inventory: Inventory) -> None:
        self._classes = classes
        self._inventory = inventory
        self._known: dict[Ref, Refs | None] = {}

    def of(self, optimizer: Ref) -> Refs | None:
        """What an optimizer was built over; None where some of it is not known."""
        if optimizer not in self._known:
            self._known[optimizer] = None  # while it is asked for by way of itself
            built = self._inventory.covers
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
