"""Which networks a loss can have come from, where every ingredient of it is in view."""

from __future__ import annotations

import builtins

import libcst as cst

from ...program import Ref
from ...syntax.names import dotted
from ...syntax.walk import children
from ...vocabulary.things import Thing
from ..scopes.scope import FileIndex, Scope
from .ages import Ages
from .gathered import Gathered
from .inventory import Inventory
from .losses import DETACHING
from .makers import Makers
from .resolve import Objects
from .separate import TRAINABLE, Separateness

Origins = frozenset[Ref]
Ingredient = tuple[cst.CSTNode, Scope]

_MOST_NODES = 400


class Provenance:
    """Follows values back to the modules, tensors and parameters they were computed from.

    An answer is complete: whatever is not in it had no part. Where that cannot be said, because
    something came from out of view, there is none.
    """

    def __init__(
        self,
        index: FileIndex,
        objects: Objects,
        inventory: Inventory,
        makers: Makers,
        gathered: Gathered,
    ) -> None:
        self._objects = objects
        self._inventory = inventory
        self._makers = makers
        self._scopes = {d.scope.id: d.scope for d in index.definitions}
        self._gathered = gathered
        separateness = Separateness(inventory, makers)
        self.is_made_separately = separateness.is_made_separately
        self.is_constructed_locally = separateness.is_constructed_locally
        self.is_bare_tensor = separateness.is_bare_tensor
        self.is_older = Ages(index, inventory, separateness).is_older

    def of(self, node: cst.CSTNode, scope: Scope) -> Origins | None:
        """All that an expression can have come from; None where that is not known."""
        return self._follow([(node, scope)], set(), set())

    def origins_of(self, variable: Ref) -> Origins | None:
        """The same for a plain variable that the file assigns."""
        scope = self._scopes.get(variable.scope)
        if scope is None or variable.name not in scope.assigned:
            return None
        found: set[Ref] = set()
        known: set[tuple[str, str]] = set()
        return self._follow(self._bound(variable.name, scope, found, known), found, known)

    def _follow(
        self, parts: list[Ingredient] | None, found: set[Ref], known: set[tuple[str, str]]
    ) -> Origins | None:
        # With one optimizer in view there is nothing to tell apart.
        if parts is None or len(self._inventory.covers) < 2:
            return None
        pending = list(parts)
        for _ in range(_MOST_NODES):
            if not pending:
                return frozenset(found)
            current, where = pending.pop()
            more = self._parts(current, where, found, known)
            if more is None:
                return None
            pending += more
        return None

    def _parts(
        self, node: cst.CSTNode, where: Scope, found: set[Ref], known: set[tuple[str, str]]
    ) -> list[Ingredient] | None:
        match node:
            case cst.Attribute(attr=cst.Name(value=name)) if name in DETACHING:
                return []
            case cst.Name(value=name):
                return self._bound(name, where, found, known)
            case cst.Call():
                return self._computed(node, where, found)
            case cst.Attribute(value=value):
                return [(value, where)]
        return [(child, where) for child in children(node)]

    def is_parameter(self, ref: Ref) -> bool:
        """Whether a variable is an argument of its function."""
        scope = self._scopes.get(ref.scope)
        return scope is not None and ref.name in scope.parameters

    def _bound(
        self, name: str, where: Scope, found: set[Ref], known: set[tuple[str, str]]
    ) -> list[Ingredient] | None:
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
        if self._inventory.thing(own) in TRAINABLE:
            found.add(own)
        parts: list[Ingredient] = [(added.value, home) for added in home.augmented.get(name, ())]
        for value in home.assigned.get(name, ()):
            if value is None:
                return None
            parts.append((value.expression, value.scope))
        added = self._gathered.into(own, home)
        return None if added is None else [*parts, *added]

    def _computed(self, call: cst.Call, where: Scope, found: set[Ref]) -> list[Ingredient] | None:
        """What goes into a call: its arguments, and the network or tensor it is made on."""
        parts: list[Ingredient] = [(a.value, where) for a in call.args]
        refs = self._objects.resolve(call.func, where)
        things = {self._inventory.thing(ref) for ref in refs if ref.scope != "import"}
        if things and things <= {Thing.MODULE}:
            found.update(refs)
            return parts
        name = dotted(call.func)
        if name is not None and where.home(name.partition(".")[0]) is None:
            full = where.imports.full(name) or name
            ours = full.startswith("torch.") or hasattr(builtins, full)
            return parts if ours else None
        if self._makers.thing_made(call, where) in TRAINABLE | {Thing.SCALER}:
            return parts
        if isinstance(call.func, cst.Attribute):
            if call.func.attr.value in DETACHING:
                return []
            return [*parts, (call.func.value, where)]
        return None
