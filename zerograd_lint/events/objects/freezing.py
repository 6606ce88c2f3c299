"""Which networks and tensors are frozen for a whole run, so that no backward fills them."""

from __future__ import annotations

from collections.abc import Iterable

import libcst as cst

from ...program import Ref
from .inventory import Inventory

REQUIRES_GRAD = "requires_grad"


class Freezing:
    """Notes where `requires_grad` is set, while functions are lowered."""

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        self._frozen: set[Ref] = set()
        self._trained: set[Ref] = set()
        """What is set free again, or only at times frozen."""

    def note(self, refs: Iterable[Ref], value: cst.BaseExpression | None, *, always: bool) -> None:
        """`requires_grad` of these is set here; `value` is what it is set to, if not to True."""
        is_frozen = always and isinstance(value, cst.Name) and value.value == "False"
        (self._frozen if is_frozen else self._trained).update(refs)

    def is_frozen(self, ref: Ref) -> bool:
        """Whether it is frozen, and nothing in view sets it free."""
        if any(ref.overlaps(trained) for trained in self._trained):
            return False
        return any(frozen.contains(ref) for frozen in self._frozen) or self._is_made_frozen(ref)

    def _is_made_frozen(self, ref: Ref) -> bool:
        """`w = torch.ones(3, requires_grad=False)`."""
        values = self._inventory.assigned.get(ref, ())
        return bool(values) and all(_says_frozen(value.expression) for value in values)


def _says_frozen(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and any(
        argument.keyword is not None
        and argument.keyword.value == REQUIRES_GRAD
        and isinstance(argument.value, cst.Name)
        and argument.value.value == "False"
        for argument in node.args
    )
