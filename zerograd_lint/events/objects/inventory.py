"""What is known of every object of a file: what it is, what it covers, what holds it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from ...program import Ref
from ...syntax.names import dotted, last_name
from ...syntax.walk import inside
from ...vocabulary import evidence
from ...vocabulary.things import Thing
from ...vocabulary.wrappers import SAME_EACH
from ..scopes.scope import Definition, FileIndex, Scope, Value
from .annotated import Annotated
from .collections import holds_parameters
from .gathered import Gathered
from .given import Given
from .given_back import given_back
from .known_calls import KnownCalls, runs_base
from .makers import Makers
from .named_only import NamedOnly
from .parameters import Parameters
from .resolve import Objects, Refs
from .used_as_options import UsedAsOptions

_MAX_DEPTH = 3
_ASKED_OF_NETWORKS = frozenset({"parameters", "named_parameters"})
_USES = frozenset({"step", "zero_grad", "backward", "unscale_", *_ASKED_OF_NETWORKS})


class Inventory:
    """Gathers evidence from annotations, assignments and uses; names are asked last."""

    def __init__(
        self,
        index: FileIndex,
        objects: Objects,
        makers: Makers,
        known_calls: KnownCalls,
        given: Given,
        gathered: Gathered,
    ) -> None:
        self._known_calls = known_calls
        self._given = given
        self._objects = objects
        self._makers = makers
        self._parameters = Parameters(objects, self.thing, gathered)
        self.annotated = Annotated(index, objects)
        self._things: dict[Ref, Thing] = dict(self.annotated.things)
        self.covers: dict[Ref, Refs | None] = {}
        """What each optimizer was built over; None where some of it is not known."""
        self._held: dict[Ref, Refs] = {}
        """What objects were given, when they were made or later."""
        self.known_to_others: set[Ref] = set()
        """Instances, as their own methods know them, that were handed to other objects."""
        self._on_the_way: set[Ref] = set()
        """Objects by way of which an optimizer is reached: `trainer` of `trainer.optimizer`."""
        self.assigned: dict[Ref, list[Value]] = {}
        """What this file gives a value to."""
        self.constructed: set[Ref] = set()
        """What a constructor that is known makes."""
        self._called: set[Ref] = set()
        """What some call makes."""
        self._closures_repeat: set[Ref] = set()
        self._named_only: NamedOnly | None = None
        """Asked when all uses are known."""
        self._learn_assignments(index)
        self._learn_uses(index)
        self._learn_back_references(index)

    def thing(self, ref: Ref) -> Thing | None:
        """What an object is."""
        found = self._things.get(ref)
        if found is None and ref.path and ref.path[-1].startswith("["):
            container = Ref(ref.scope, ref.name, ref.path[:-1])
            # A list of optimizers holds optimizers; an optimizer holds settings.
            found = Thing.OTHER if container in self.covers else self._things.get(container)
        if found is not None:
            return found
        if ref.scope == "import":
            return None
        if self._is_plain(ref):
            return Thing.OTHER
        for step in (*reversed(ref.path), ref.name):
            if not step.startswith("["):
                called = step.removesuffix("()")
                found = evidence.by_name(called, made_elsewhere=ref in self._called)
                if found is Thing.OPTIMIZER and self._named_only is not None:
                    return None if self._named_only.is_data(ref) else found
                return found
        return None

    def _is_plain(self, ref: Ref) -> bool:
        """A text or a number, whatever it is called: `solver: str`, and nothing but that."""
        if ref not in self.annotated.plain:
            return False
        assigned = self.assigned.get(ref, [])
        return not assigned or (len(assigned) == 1 and assigned[0].given_as is not None)

    def is_tensor(self, ref: Ref) -> bool:
        """One tensor, not a list of them: its rows have no gradients of their own."""
        values = self.assigned.get(ref)
        return (
            values is not None
            and self._things.get(ref) is Thing.TENSOR
            and all(isinstance(value.expression, cst.Call) for value in values)
        )

    def is_in_network(self, ref: Ref) -> bool:
        """A parameter of a network, or a network in one: `net.weight`, `net.body`."""
        return any(self.thing(w) is Thing.MODULE for w in ref.wholes[ref.name == "self" :])

    def repeats_closure(self, ref: Ref) -> bool:
        """This optimizer evaluates its closure several times per step, applying in between."""
        return ref in self._closures_repeat

    # --- evidence ---------------------------------------------------------------------------

    def _learn_assignments(self, index: FileIndex) -> None:
        for definition in index.definitions:
            scope = definition.scope
            for name, values in scope.assigned.items():
                for value in values:
                    if value is not None:
                        self._learn(Ref(scope.id, name), value)
        regrouped: list[Ref] = []
        for target, value, scope in index.attributes:
            refs = self._objects.resolve(target, scope) if value is not None else ()
            if isinstance(target, cst.Subscript) and holds_parameters(target, scope):
                regrouped += refs  # `optimizer.param_groups[0]["params"] = pruned`
                continue
            for ref in refs:
                assert value is not None
                self._learn(ref, value)
        for ref in regrouped:
            if ref in self.covers:
                self.covers[ref] = None

    def _learn(self, ref: Ref, value: Value) -> None:
        if value.iterated or given_back(value) is not None:
            return
        thing = self._makers.thing_made(value.expression, value.scope)
        if value.index:
            # What makes several things says nothing of each.
            several = thing is Thing.OPTIMIZER
            thing = evidence.by_name(ref.path[-1] if ref.path else ref.name) if several else None
        if thing is not None:
            self._things.setdefault(ref, thing)
            self.constructed.add(ref)
        self.assigned.setdefault(ref, []).append(value)
        if isinstance(value.expression, cst.Call):
            self._learn_call(ref, value, value.expression, thing)
        if thing is Thing.MODULE and isinstance(value.expression, cst.Call):
            self._hold([argument.value for argument in value.expression.args], ref, value.scope)
        elif thing is not Thing.OPTIMIZER:
            for part in (value.expression, *inside(value.expression)):
                if isinstance(part, cst.Call):
                    self._learn_given(ref, part, value.scope)

    def _learn_given(self, ref: Ref, call: cst.Call, scope: Scope) -> None:
        """What an object is given may be reached through it later."""
        if not call.args or self._known_calls.is_library(call.func, scope):
            return
        if last_name(call.func) in SAME_EACH:
            return  # each of them comes back by itself
        arguments = [argument.value for argument in call.args]
        called = self._given.called(call, scope)
        if called is not None and not called.makes and not any(a.star for a in call.args):
            kept = self._known_calls.keeps
            named = called.arguments(call)
            arguments = [value for name, value in named if kept(called.definition, name)]
        self._hold(arguments, ref, scope)

    def _hold(self, arguments: Iterable[cst.BaseExpression], ref: Ref, scope: Scope) -> None:
        for argument in arguments:
            is_named = isinstance(argument, cst.Name | cst.Attribute)
            found = self._objects.resolve if is_named else self._parameters.owners
            self._held[ref] = self._held.get(ref, ()) + (found(argument, scope) or ())

    def _learn_call(self, ref: Ref, value: Value, call: cst.Call, thing: Thing | None) -> None:
        """What a call that makes an object tells: what an optimizer covers, what others hold."""
        self._called.add(ref)
        called = dotted(call.func) or ""
        if thing is Thing.OPTIMIZER:
            covered = self._parameters.covered(call, value.scope)
            if ref in self.covers and self.covers[ref] != covered:
                self.covers[ref] = None
            else:
                self.covers[ref] = covered
            if called.endswith("LBFGS"):
                self._closures_repeat.add(ref)

    def held_by(self, ref: Ref) -> Refs:
        """What an object, or the collection it is an element of, was given in view."""
        found: Refs = ()
        for cut in range(len(ref.path), -1, -1):
            found += self._held.get(Ref(ref.scope, ref.name, ref.path[:cut]), ())
            if cut and not ref.path[cut - 1].startswith("["):
                break
        return found

    def leads_to_optimizer(self, ref: Ref) -> bool:
        """Whether an optimizer is reached by way of this object somewhere in the file."""
        return ref in self._on_the_way

    def _learn_back_references(self, index: FileIndex) -> None:
        """`callback.trainer = self`: the callback can reach the trainer from now on."""
        for target, value, scope in index.attributes:
            if value is not None and scope.is_instance(value.expression) and scope.within:
                if not scope.is_instance(target.value):
                    self.known_to_others.add(scope.within.instance)

    def _learn_uses(self, index: FileIndex) -> None:
        """`x.step()` with `x.zero_grad()`, or `scaler.step(x)`, shows an optimizer."""
        used: dict[Ref, set[str]] = {}
        for definition in index.definitions:
            for node in definition.nodes(cst.Call):
                self._learn_passed(node, definition.scope)
                if type(node.func) is not cst.Attribute or node.func.attr.value not in _USES:
                    continue
                method = node.func.attr.value
                receivers = self._objects.resolve(node.func.value, definition.scope)
                for ref in receivers:
                    used.setdefault(ref, set()).add(method)
                    if method in ("step", "zero_grad"):
                        self._on_the_way.update(ref.wholes)
                if method in ("step", "unscale_") and node.args:
                    self._learn_scaler(node, receivers, definition)
        for ref, methods in used.items():
            if ref not in self._things and ref.scope != "import":
                self._learn_use(ref, methods)
        stepped = [ref for ref, methods in used.items() if methods & {"step", "zero_grad"}]
        facts = (self._objects, self.assigned, self._things, self.held_by, stepped)
        self._named_only = NamedOnly(*facts, UsedAsOptions(index, self._objects))

    def _learn_passed(self, call: cst.Call, scope: Scope) -> None:
        """`callback.set_trainer(self)`: the callback can reach the trainer from now on."""
        if any(scope.is_instance(a.value) for a in call.args) and scope.within is not None:
            if not (runs_base(call, scope) or self._known_calls.is_library(call.func, scope)):
                self.known_to_others.add(scope.within.instance)
        if call.args and isinstance(call.func, cst.Attribute):
            for ref in self._objects.resolve(call.func.value, scope):
                if ref.scope != "import" and self._may_keep(ref):
                    self._learn_given(ref, call, scope)

    def _may_keep(self, ref: Ref) -> bool:
        """Whether an object may keep what its methods are given: a network, or one not known."""
        is_passive = self._known_calls.is_passive
        return (
            self.thing(ref) in (None, Thing.MODULE)
            and not (ref.name == "self" and not ref.path)
            and not any(map(is_passive, self.assigned.get(ref, ())))
        )

    def optimizers_in(self, ref: Ref, depth: int = _MAX_DEPTH) -> Iterator[Ref]:
        """The optimizers that an object holds, itself or by way of what it was given."""
        for held in self.held_by(ref) if depth else ():
            if self.thing(held) is Thing.OPTIMIZER:
                yield held
            else:
                yield from self.optimizers_in(held, depth - 1)

    def optimizers_of(self, instance: Ref) -> list[Ref]:
        """The optimizers that are attributes of an instance."""
        return [r for r in self.assigned if r.root == instance and self.thing(r) is Thing.OPTIMIZER]

    def _learn_use(self, ref: Ref, methods: set[str]) -> None:
        # An optimizer can be cleared, too, but has no parameters() to give.
        if (
            ("zero_grad" in methods and methods & _ASKED_OF_NETWORKS)
            or self.thing(ref) is None
            or ("zero_grad" not in methods)
        ):
            thing = _thing_used(methods)
            if thing is not None:
                self._things[ref] = thing

    def _learn_scaler(self, call: cst.Call, receivers: Refs, definition: Definition) -> None:
        """`scaler.step(optimizer)` shows both; `env.step(action)` shows nothing."""
        assert isinstance(call.func, cst.Attribute)
        if call.func.attr.value == "step" and not any(
            self.thing(ref) is Thing.SCALER or "scaler" in str(ref).lower() for ref in receivers
        ):
            return
        for ref in receivers:
            self._things.setdefault(ref, Thing.SCALER)
        for ref in self._objects.resolve(call.args[0].value, definition.scope):
            self._things.setdefault(ref, Thing.OPTIMIZER)


def _thing_used(methods: set[str]) -> Thing | None:
    """What an object is, by the methods called on it."""
    if {"backward", "step"} <= methods:
        return Thing.ENGINE
    if {"zero_grad", "step"} <= methods:
        return Thing.OPTIMIZER
    return Thing.MODULE if methods & {*_ASKED_OF_NETWORKS, "zero_grad"} else None
