"""Which networks a loss can have come from, where every ingredient of it is in sight."""

from __future__ import annotations

import builtins

import libcst as cst

from ...program import Ref
from ...syntax.names import dotted
from ...syntax.walk import children
from ...vocabulary.things import Thing
from ..scopes.index import Scope
from .inventory import Inventory
from .losses import CUTS
from .resolve import Objects

Origins = frozenset[Ref]

_TRAINABLE = frozenset({Thing.MODULE, Thing.TENSOR})
_MOST_NODES = 400
_MAX_DEPTH = 4


class Provenance:
    """Follows values back to the modules, tensors and parameters they were computed from.

    An answer is complete: whatever is not in it had no part. Where that cannot be said, because
    something came from out of sight, there is none.
    """

    def __init__(self, objects: Objects, inventory: Inventory) -> None:
        self._objects = objects
        self._inventory = inventory
        self._scopes = {d.scope.id: d.scope for d in objects.index.definitions}
        self._alone: dict[Ref, bool] = {}

    def of(self, node: cst.CSTNode, scope: Scope) -> Origins | None:
        # With one optimizer in sight there is nothing to tell apart.
        if len(self._inventory.covers) < 2:
            return None
        found: set[Ref] = set()
        pending: list[tuple[cst.CSTNode, Scope]] = [(node, scope)]
        known: set[tuple[str, str]] = set()
        for _ in range(_MOST_NODES):
            if not pending:
                return frozenset(found)
            current, where = pending.pop()
            match current:
                case cst.Attribute(attr=cst.Name(value=name)) if name in CUTS:
                    continue
                case cst.Name(value=name):
                    parts = self._bound(name, where, found, known)
                case cst.Call():
                    parts = self._computed(current, where, found)
                case cst.Attribute(value=value):
                    parts = [(value, where)]
                case _:
                    parts = [(child, where) for child in children(current)]
            if parts is None:
                return None
            pending += parts
        return None

    def origins_of(self, variable: Ref) -> Origins | None:
        """The same for a plain variable that the file assigns."""
        scope = self._scopes.get(variable.scope)
        if scope is None or variable.name not in scope.assigned:
            return None
        return self.of(cst.Name(variable.name), scope)

    def is_parameter(self, ref: Ref) -> bool:
        scope = self._scopes.get(ref.scope)
        return scope is not None and ref.name in scope.parameters

    def _bound(
        self, name: str, where: Scope, found: set[Ref], known: set[tuple[str, str]]
    ) -> list[tuple[cst.CSTNode, Scope]] | None:
        """What a name stands for: its own object, and all that is ever assigned to it."""
        home = where.home(name)
        if home is None:
            return [] if hasattr(builtins, name) else None
        if (home.id, name) in known:
            return []
        known.add((home.id, name))
        own = Ref(home.id, name)
        if name in home.parameters and name != home.instance_name:
            found.add(own)
        elif name not in home.assigned:
            return None
        if self._inventory.thing(own) in _TRAINABLE:
            found.add(own)
        parts: list[tuple[cst.CSTNode, Scope]] = [
            (added.value, home) for added in home.augmented.get(name, ())
        ]
        for value in home.assigned.get(name, ()):
            if value is None:
                return None
            parts.append((value.expression, value.scope))
        return parts

    def _computed(
        self, call: cst.Call, where: Scope, found: set[Ref]
    ) -> list[tuple[cst.CSTNode, Scope]] | None:
        """What goes into a call: its arguments, and the network or tensor it is made on."""
        parts: list[tuple[cst.CSTNode, Scope]] = [(a.value, where) for a in call.args]
        refs = self._objects.resolve(call.func, where)
        things = {self._inventory.thing(ref) for ref in refs if ref.scope != "import"}
        if things and things <= {Thing.MODULE}:
            found.update(refs)
            return parts
        name = dotted(call.func)
        if name is not None and where.home(name.partition(".")[0]) is None:
            full = self._objects.index.imports.full(name) or name
            ours = full.startswith("torch.") or hasattr(builtins, full)
            return parts if ours else None
        if self._inventory.classify(call, where) in _TRAINABLE | {Thing.SCALER}:
            return parts
        if isinstance(call.func, cst.Attribute):
            if call.func.attr.value in CUTS:
                return []
            return [*parts, (call.func.value, where)]
        return None

    # --- telling apart ----------------------------------------------------------------------

    def is_made_separately(self, ref: Ref) -> bool:
        """Made once, in this file, and out of nothing that could bring other parameters in."""
        known = self._alone.get(ref)
        if known is None:
            known = self._alone[ref] = self._is_made_alone(ref)
        return known

    def _is_made_alone(self, ref: Ref) -> bool:
        assigned = self._inventory.assigned
        values = assigned.get(ref, [])
        if len(values) != 1 or any(ref != other and ref.contains(other) for other in assigned):
            return False
        value = values[0]
        return (
            self._inventory.classify(value.expression, value.scope) in _TRAINABLE
            and not value.index
            and self._is_plain(value.expression, value.scope, 0)
        )

    def _is_plain(self, node: cst.CSTNode, scope: Scope, depth: int) -> bool:
        """Nothing in it comes from out of sight or is trained by itself."""
        if depth > _MAX_DEPTH:
            return False
        pending = [node]
        while pending:
            current = pending.pop()
            if isinstance(current, cst.Attribute):
                pending.append(current.value)
                continue
            pending += children(current)
            if isinstance(current, cst.Name):
                home = scope.home(current.value)
                if home is None or current.value in home.classes:
                    continue
                if self._inventory.thing(Ref(home.id, current.value)) in _TRAINABLE:
                    return False
                values = home.assigned.get(current.value, [])
                if not values or current.value in home.parameters:
                    return False
                for value in values:
                    if value is None or not self._is_plain(
                        value.expression, value.scope, depth + 1
                    ):
                        return False
        return True
