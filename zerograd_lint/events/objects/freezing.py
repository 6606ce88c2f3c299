"""Which networks and tensors are frozen, so that no backward fills them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from ...program import Ref
from .inventory import Inventory

REQUIRES_GRAD = "requires_grad"
Loops = tuple[int, ...]


class Freezing:
    """Notes where `requires_grad` is set, while functions are lowered."""

    def __init__(self, inventory: Inventory) -> None:
        self._inventory = inventory
        self._frozen: set[Ref] = set()
        self._trained: set[Ref] = set()
        """What is set free again, or only at times frozen."""
        self._backwards: dict[str, list[Loops]] = {}
        """By scope of a function: the loops around each of its backwards, in order."""
        self._frozen_late: list[tuple[frozenset[Ref], str, int]] = []
        """What a function freezes after some of its backwards, and after how many."""

    def note_backward(self, function: str, loops: Loops) -> None:
        """A backward stands here, in these loops of a function."""
        self._backwards.setdefault(function, []).append(loops)

    def note(
        self,
        refs: Iterable[Ref],
        value: cst.BaseExpression | None,
        function: str,
        loops: Loops,
        *,
        always: bool,
    ) -> None:
        """`requires_grad` of these is set here; `value` is what it is set to, if not to True."""
        is_frozen = always and isinstance(value, cst.Name) and value.value == "False"
        before = self._backwards.get(function, [])
        if is_frozen and before and not any(set(loops) & set(around) for around in before):
            self._frozen_late.append((frozenset(refs), function, len(before)))
        else:
            (self._frozen if is_frozen else self._trained).update(refs)

    def is_frozen(self, ref: Ref) -> bool:
        """Whether it is frozen, and nothing in view sets it free."""
        if any(ref.overlaps(trained) for trained in self._trained):
            return False
        frozen = self._frozen.union(*self._frozen_before_backwards())
        return any(one.contains(ref) for one in frozen) or self._is_made_frozen(ref)

    def _frozen_before_backwards(self) -> Iterator[frozenset[Ref]]:
        """What is frozen late, with backwards of the same function yet to come."""
        for refs, function, before in self._frozen_late:
            if len(self._backwards[function]) > before:
                yield refs

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
