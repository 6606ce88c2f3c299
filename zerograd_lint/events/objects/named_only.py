"""What has the name of an optimizer, and nothing else of one: a column of data called `opt`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import libcst as cst

from ...program import Ref
from ...syntax.literals import is_literal
from ...syntax.walk import inside
from ...vocabulary import evidence
from ...vocabulary.things import Thing
from ..scopes.scope import Scope, Value
from .collections import is_empty
from .resolve import Objects, Refs
from .used_as_options import UsedAsOptions

_MAX_DEPTH = 3
_FILLED = (cst.List, cst.Dict, cst.Set)
_OWNERS = (Thing.OPTIMIZER, Thing.MODULE, Thing.ENGINE)


class NamedOnly:
    """Tells such data from optimizers that code out of view gives out, steps and clears."""

    def __init__(
        self,
        objects: Objects,
        assigned: Mapping[Ref, Sequence[Value]],
        things: Mapping[Ref, Thing],
        held_by: Callable[[Ref], Refs],
        stepped: Sequence[Ref],
        options: UsedAsOptions,
    ) -> None:
        self._options = options
        self._objects = objects
        self._assigned = assigned
        self._things = things
        self._held_by = held_by
        self._stepped = stepped
        self._known: dict[Ref, bool] = {}

    def is_data(self, ref: Ref) -> bool:
        """`opt = sampler.draw()`, which nothing steps or clears, or an element of such a thing.

        What draws it was given no optimizer and no network that it could give out again.
        """
        while ref not in self._assigned and ref.path and ref.path[-1].startswith("["):
            ref = Ref(ref.scope, ref.name, ref.path[:-1])
        if ref not in self._known:
            self._known[ref] = self._is_data(ref)
        return self._known[ref]

    def _is_data(self, ref: Ref) -> bool:
        if any(ref.contains(one) for one in self._stepped):
            return False
        if ref in self._options.numbers:
            return True
        values = self._assigned.get(ref, ())
        if values and all(self._is_computed(value, ref) for value in values):
            return True
        comes_from_outside = all(value.given_as is not None for value in values)
        return comes_from_outside and ref in self._options and not self._holds_owner(ref)

    def _holds_owner(self, ref: Ref) -> bool:
        """`opt["critic"] = …`: a dict of optimizers is asked for them by name, too."""
        return any(
            ref.contains(one) and (thing := self._things.get(one)) is not None and thing in _OWNERS
            for one in (*self._assigned, *self._things)
        )

    def _is_computed(self, value: Value | None, ref: Ref, depth: int = _MAX_DEPTH) -> bool:
        """What an operation or a call without owners gives, or a part of that; or nothing.

        That the call may have been given `ref` itself before says nothing.
        """
        if value is None or value.iterated or not depth:
            return False
        node = value.expression
        while isinstance(node, cst.Subscript):
            node = node.value
        match node:
            case cst.Tuple(elements=parts) if value.index and value.index[0] < len(parts):
                node = parts[value.index[0]].value
            case cst.Name(value=name) if value.index and name != "None":
                bound = value.scope.values(name)
                return bool(bound) and all(self._is_computed(one, ref, depth - 1) for one in bound)
            case cst.BooleanOperation(left=one, right=cst.Dict() as default):
                # `opts = loss_kwargs or {}`: no optimizer takes the place of an empty dict.
                given = self._objects.resolve(one, value.scope)
                is_owner = not given or any(map(self._may_be_owner, given))
                return not is_owner and self._is_spelt_out(default, ref)
        if isinstance(node, cst.Call):
            mentioned = self._mentioned(node, value.scope)
            return not any(self._may_be_owner(one) for one in mentioned if not ref.contains(one))
        # What stays empty in view is filled elsewhere.
        spelt_out = not is_empty(node) and self._is_spelt_out(node, ref)
        return spelt_out or isinstance(node, cst.BinaryOperation)

    def _is_spelt_out(self, node: cst.BaseExpression, ref: Ref) -> bool:
        """A number, a text, nothing, or a collection of such that stays as it is."""
        last = ref.path[-1] if ref.path else ref.name
        return is_literal(node) and not (isinstance(node, _FILLED) and last in self._options.filled)

    def _mentioned(self, call: cst.Call, scope: Scope) -> Iterator[Ref]:
        """The objects that a call is made on or given, and what those were given."""
        parts = [call.func, *inside(call)]
        bases = {id(part.value) for part in parts if isinstance(part, cst.Attribute)}
        for part in parts:
            is_base = isinstance(part, cst.Name) and id(part) in bases
            if is_base and not (part is _receiver(call) and scope.is_instance(part)):
                continue
            if isinstance(part, cst.Name | cst.Attribute):
                for ref in self._objects.resolve(part, scope):
                    yield from (ref, *self._held_by(ref))

    def _may_be_owner(self, ref: Ref) -> bool:
        thing = self._things.get(ref)
        if thing is not None or ref.scope == "import":
            return thing in _OWNERS
        is_instance = ref.name == "self" and not ref.path
        last = ref.path[-1] if ref.path else ref.name
        return is_instance or evidence.by_name(last) is Thing.OPTIMIZER


def _receiver(call: cst.Call) -> cst.BaseExpression | None:
    return call.func.value if isinstance(call.func, cst.Attribute) else None
