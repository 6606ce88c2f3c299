"""Which networks and tensors have parameters of their own, shared with nothing else."""

from __future__ import annotations

from functools import cached_property

import libcst as cst

from ...program import Ref
from ...syntax.names import dotted
from ...syntax.walk import children
from ...vocabulary.things import Thing
from ...vocabulary.wrappers import NEW_TENSOR
from ..scopes.scope import Scope
from .inventory import Inventory
from .makers import Makers

TRAINABLE = frozenset({Thing.MODULE, Thing.TENSOR})
_MAX_DEPTH = 4
_COPIES = frozenset({"clone", "detach"})
"""Methods that give a new tensor, whatever they are called on."""


class Separateness:
    """Remembers the answer for each object."""

    def __init__(self, inventory: Inventory, makers: Makers) -> None:
        self._inventory = inventory
        self._makers = makers
        self._known: dict[Ref, bool] = {}

    def is_made_separately(self, ref: Ref) -> bool:
        """Made once, in this file, and out of nothing that could bring other parameters in."""
        known = self._known.get(ref)
        if known is None:
            known = self._known[ref] = self._is_separate(ref)
        return known

    def _is_separate(self, ref: Ref) -> bool:
        values = self._inventory.assigned.get(ref, [])
        named_alike = self._assigned_by_root.get(ref.root, ())
        if len(values) != 1 or any(ref != other and ref.contains(other) for other in named_alike):
            return False
        value = values[0]
        return (
            self._makers.thing_made(value.expression, value.scope) in TRAINABLE
            and not value.index
            and self._is_plain(value.expression, value.scope, 0)
        )

    @cached_property
    def _assigned_by_root(self) -> dict[Ref, list[Ref]]:
        found: dict[Ref, list[Ref]] = {}
        for ref in self._inventory.assigned:
            found.setdefault(ref.root, []).append(ref)
        return found

    def is_constructed_locally(self, ref: Ref) -> bool:
        """Made by a constructor in the function it belongs to, and given no network by its name."""
        values = self._inventory.assigned.get(ref, [])
        return bool(values) and all(
            isinstance(value.expression, cst.Call)
            and value.scope.id == ref.scope
            and not value.index
            and self._makers.thing_made(value.expression, value.scope) in TRAINABLE
            and not any(self._may_be_trained(a.value, value.scope) for a in value.expression.args)
            for value in values
        )

    def is_new(self, ref: Ref) -> bool:
        """A network or a tensor that is made where its name is set, whatever it is made of."""
        return self.is_bare_tensor(ref) or self.is_constructed_locally(ref)

    def is_bare_tensor(self, ref: Ref) -> bool:
        """A new tensor that is no `nn.Parameter`: a network has only those."""
        values = self._inventory.assigned.get(ref, [])
        return bool(values) and all(
            not value.index and _is_new_tensor(value.expression, value.scope) for value in values
        )

    def _may_be_trained(self, argument: cst.BaseExpression, scope: Scope) -> bool:
        if isinstance(argument, cst.Name):
            return not self._is_plain_name(argument.value, scope, 0)
        root = argument
        while isinstance(root, cst.Attribute | cst.Subscript):
            root = root.value
        return isinstance(root, cst.Name) and root.value == scope.instance_name

    def _is_plain(self, node: cst.CSTNode, scope: Scope, depth: int) -> bool:
        """Nothing in it comes from out of view or is trained by itself."""
        if depth > _MAX_DEPTH:
            return False
        pending = [node]
        while pending:
            current = pending.pop()
            if isinstance(current, cst.Attribute):
                pending.append(current.value)
                continue
            pending += children(current)
            if isinstance(current, cst.Name) and not self._is_plain_name(
                current.value, scope, depth
            ):
                return False
        return True

    def _is_plain_name(self, name: str, scope: Scope, depth: int) -> bool:
        home = scope.home(name)
        if home is None or name in home.classes:
            return True
        if self._inventory.thing(Ref(home.id, name)) in TRAINABLE:
            return False
        values = home.assigned.get(name, [])
        if not values or name in home.parameters:
            return False
        return all(
            value is not None and self._is_plain(value.expression, value.scope, depth + 1)
            for value in values
        )


def _is_new_tensor(node: cst.BaseExpression, scope: Scope) -> bool:
    """`torch.zeros_like(x).uniform_()`, `x.clone().requires_grad_()`."""
    while isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        full = scope.imports.full(dotted(node.func) or "")
        if full is not None:
            return NEW_TENSOR.match(full) is not None or full == "torch.Tensor"
        if node.func.attr.value in _COPIES:
            return True
        node = node.func.value
    return False
