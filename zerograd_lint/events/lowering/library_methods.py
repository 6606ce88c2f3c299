"""Methods that only the classes of some libraries have, by the qualified name of the class."""

from __future__ import annotations

import libcst as cst

from ...program import Block
from ...syntax.literals import truth
from ...syntax.names import dotted
from ...vocabulary.calls import TOLD_TO_CLEAR
from ...vocabulary.libraries import Meaning, names_of
from ..event import Consume, Escape, Zero
from ..objects.inventory import Inventory
from ..objects.resolve import Refs
from ..scopes.scope import Value
from .emitter import Emitter

_CLEARS_IF_TOLD = frozenset(names_of(Meaning.CLEARS_IF_TOLD))


class LibraryMethods:
    """Lowers them where the object is made in view; of any other object nothing is known."""

    def __init__(self, inventory: Inventory, emitter: Emitter) -> None:
        self._inventory = inventory
        self._emitter = emitter

    def effect(
        self, call: cst.Call, receiver: cst.BaseExpression, refs: Refs, method: str
    ) -> Block:
        """`optimizer.first_step(zero_grad=True)`; empty for methods that are not known."""
        makers = {_maker(value) for ref in refs for value in self._inventory.assigned.get(ref, ())}
        if not makers or any(f"{maker}.{method}" not in _CLEARS_IF_TOLD for maker in makers):
            return []
        emit = self._emitter.emit
        applied = emit(Consume(), refs, call, receiver)
        told = _told_to_clear(call)
        if told is None:
            return applied + emit(Escape(), refs, call, receiver)
        return applied + (emit(Zero(), refs, call, receiver) if told else [])


def _maker(value: Value) -> str:
    """The library and the class that make a value: `pytorch_optimizer.SAM`, wherever in it."""
    name = dotted(value.expression.func) if isinstance(value.expression, cst.Call) else None
    full = value.scope.imports.full(name) if name is not None else None
    library, _, path = (full or "").partition(".")
    return f"{library}.{path.rpartition('.')[2]}"


def _told_to_clear(call: cst.Call) -> bool | None:
    """Whether a call says that gradients are to be cleared; None if that is decided elsewhere."""
    for position, argument in enumerate(call.args):
        keyword = argument.keyword.value if argument.keyword is not None else None
        if argument.star or keyword == TOLD_TO_CLEAR or (keyword is None and position == 0):
            return None if argument.star else truth(argument.value)
    return False
