"""The optimizers that a trainer makes of what `configure_optimizers` returns, and hands out."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from ...program import Ref
from ...syntax.literals import literal
from ...vocabulary.frameworks import CALLED_PER_BATCH, CONFIGURES_OPTIMIZERS, HANDED_OUT
from ..scopes.scope import FileIndex, Scope
from .classes import Classes

Placed = tuple[cst.BaseExpression, Scope]


class Configured:
    """Finds what makes the optimizers that `self.optimizers()` gives, one by one."""

    def __init__(self, index: FileIndex, classes: Classes) -> None:
        self._classes = classes
        self._owners = {owner.instance: owner for owner in index.classes}
        self._known = {base for bases in CALLED_PER_BATCH.values() for base in bases}

    def behind(self, optimizer: Ref) -> Placed | None:
        """The expression behind `self.optimizers()`, or behind one element of it."""
        if not optimizer.path or optimizer.path[0] != HANDED_OUT:
            return None
        owner = self._owners.get(optimizer.root)
        if owner is None or self._known.isdisjoint(self._classes.foreign_bases(owner)):
            return None
        method = self._classes.method(owner, CONFIGURES_OPTIMIZERS)
        returned = method.nodes(cst.Return) if method is not None else []
        if method is None or len(returned) != 1 or returned[0].value is None:
            return None
        given = _optimizers(returned[0].value, method.scope)
        chosen = _chosen(given, optimizer.path[1:])
        return (chosen, method.scope) if chosen is not None else None


def _optimizers(node: cst.BaseExpression, scope: Scope) -> list[cst.BaseExpression]:
    """Those that are listed, whatever stands beside them: schedules, or settings of these."""
    members = _members(node, scope)
    if members is None:
        return [_unwrapped(node, scope)]
    lists = [_members(member, scope) for member in members]
    if len(members) == 2 and lists[0] is not None and lists[1] is not None:
        members = lists[0]  # `[optimizer], [schedule]`
    return [_unwrapped(member, scope) for member in members]


def _members(node: cst.BaseExpression, scope: Scope) -> list[cst.BaseExpression] | None:
    if isinstance(node, cst.Name):
        value = scope.only_value(node.value)
        is_filled = value is None or scope.changes.additions.get((scope.id, node.value))
        if value is None or is_filled or value.index or value.iterated:
            return None
        node = value.expression
    match node:
        case cst.List(elements=elements) | cst.Tuple(elements=elements):
            if not any(isinstance(element, cst.StarredElement) for element in elements):
                return [element.value for element in elements]
    return None


def _unwrapped(node: cst.BaseExpression, scope: Scope) -> cst.BaseExpression:
    """The optimizer of `{"optimizer": optimizer, "lr_scheduler": schedule}`."""
    if isinstance(node, cst.Dict):
        for pair in node.elements:
            if isinstance(pair, cst.DictElement) and literal(pair.key) == "optimizer":
                return pair.value
    return node


def _chosen(
    optimizers: Sequence[cst.BaseExpression], path: Sequence[str]
) -> cst.BaseExpression | None:
    """`self.optimizers()` is the optimizer itself where there is one, and a list of several."""
    if not path:
        return optimizers[0] if len(optimizers) == 1 else None
    number = path[0].strip("[]")
    at = int(number) if number.isdecimal() else len(optimizers)
    return optimizers[at] if len(path) == 1 and at < len(optimizers) > 1 else None
