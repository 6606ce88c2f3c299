"""What is known of every object of a file: what it is, what it covers, who holds it."""

from __future__ import annotations

import libcst as cst

from ...config.settings import Settings
from ...program import Ref
from ...syntax.literals import literal
from ...syntax.names import code_of, dotted
from ...syntax.walk import inside
from ...vocabulary import evidence
from ...vocabulary.buffers import GRADIENT_ATTRIBUTES
from ...vocabulary.frameworks import ENGINE_FACTORIES
from ...vocabulary.things import Thing
from ...vocabulary.unread_calls import LEAVES_GRADIENTS_ALONE
from ..scopes.index import Class, Scope, Value
from .resolve import Objects, Refs

_MAX_DEPTH = 4


class Inventory:
    def __init__(self, objects: Objects, settings: Settings) -> None:
        self._objects = objects
        self._self_zeroing = frozenset(settings.self_zeroing_classes)
        self._things: dict[Ref, Thing] = {}
        self.covers: dict[Ref, Refs | None] = {}
        """What each optimizer was built over; None when not all of it can be told."""
        self.held: dict[Ref, Refs] = {}
        """What an object from elsewhere was given when it was made."""
        self.assigned: dict[Ref, list[Value]] = {}
        """What this file gives a value to."""
        self._made: set[Ref] = set()
        """What some call makes."""
        self._closures_repeat: set[Ref] = set()
        self._learn_annotations()
        self._learn_assignments()
        self._learn_uses()

    def thing(self, ref: Ref) -> Thing | None:
        """What an object is, the name being asked last."""
        found = self._things.get(ref)
        if found is None and ref.path and ref.path[-1].startswith("["):
            container = Ref(ref.scope, ref.name, ref.path[:-1])
            # A list of optimizers holds optimizers; an optimizer holds settings.
            found = Thing.OTHER if container in self.covers else self._things.get(container)
        if found is not None:
            return found
        if ref.scope == "import":
            return None
        for step in (*reversed(ref.path), ref.name):
            if not step.startswith("["):
                return evidence.by_name(step.removesuffix("()"), made_elsewhere=ref in self._made)
        return None

    def is_tensor(self, ref: Ref) -> bool:
        """One tensor, not a list of them: its rows have no gradients of their own."""
        values = self.assigned.get(ref)
        return (
            values is not None
            and self._things.get(ref) is Thing.TENSOR
            and all(isinstance(value.expression, cst.Call) for value in values)
        )

    def repeats_closure(self, ref: Ref) -> bool:
        """This optimizer evaluates its closure several times per step, applying in between."""
        return ref in self._closures_repeat

    # --- evidence ---------------------------------------------------------------------------

    def _learn_annotations(self) -> None:
        for definition in self._objects.index.definitions:
            scope = definition.scope
            for name, parameter in scope.parameters.items():
                if parameter.annotation is not None:
                    text = code_of(parameter.annotation.annotation)
                    thing = evidence.by_annotation(text)
                    if thing is not None:
                        for ref in self._objects.resolve(cst.Name(name), scope):
                            self._things.setdefault(ref, thing)

    def _learn_assignments(self) -> None:
        index = self._objects.index
        for definition in index.definitions:
            scope = definition.scope
            for name, values in scope.assigned.items():
                for value in values:
                    if value is not None:
                        self._learn(Ref(scope.id, name), value)
        for target, value, scope in index.attributes:
            if value is not None:
                for ref in self._objects.resolve(target, scope):
                    self._learn(ref, value)

    def _learn(self, ref: Ref, value: Value) -> None:
        expression = value.expression
        if value.iterated:
            return
        thing = self.classify(expression, value.scope, ref)
        if value.index and thing is Thing.OPTIMIZER:
            thing = evidence.by_name(ref.path[-1] if ref.path else ref.name)
        if thing is not None:
            self._things.setdefault(ref, thing)
        self.assigned.setdefault(ref, []).append(value)
        if not isinstance(expression, cst.Call):
            return
        self._made.add(ref)
        if thing is Thing.OPTIMIZER:
            covered = self._covered(expression, value.scope)
            if ref in self.covers and self.covers[ref] != covered:
                self.covers[ref] = None
            else:
                self.covers[ref] = covered
            if (dotted(expression.func) or "").endswith("LBFGS"):
                self._closures_repeat.add(ref)
        elif (dotted(expression.func) or "").rpartition(".")[2] not in LEAVES_GRADIENTS_ALONE:
            given: Refs = ()
            for argument in expression.args:
                given += self._objects.resolve(argument.value, value.scope)
            if given:
                self.held[ref] = given

    def classify(
        self, node: cst.BaseExpression, scope: Scope, target: Ref | None = None, depth: int = 0
    ) -> Thing | None:
        """What an expression gives, judged by how it is made."""
        match node:
            case cst.Call(func=func):
                return self._constructed(node, func, scope, depth)
            case cst.IfExp(body=body, orelse=orelse):
                return self.classify(body, scope, target, depth) or self.classify(
                    orelse, scope, target, depth
                )
            case cst.List(elements=elements) | cst.Tuple(elements=elements) if elements:
                return self.classify(elements[0].value, scope, target, depth + 1)
            case cst.Dict(elements=pairs) if pairs:
                return self.classify(pairs[0].value, scope, target, depth + 1)
            case cst.ListComp(elt=elt):
                return self.classify(elt, scope, target, depth + 1)
        return None

    def _constructed(
        self, node: cst.Call, func: cst.BaseExpression, scope: Scope, depth: int
    ) -> Thing | None:
        name = dotted(func)
        if name is None:
            if isinstance(func, cst.Call) and dotted(func.func) == "getattr" and func.args:
                module = dotted(func.args[0].value)
                full = self._objects.index.imports.full(module) if module else None
                return Thing.OPTIMIZER if (full or module or "").endswith("optim") else None
            if isinstance(func, cst.Attribute) and isinstance(func.value, cst.Call):
                # `SGD(...).something()` and `Net().to(device)` are judged by what they wrap.
                return self.classify(func.value, scope, depth=depth + 1)
            if isinstance(func, cst.Subscript) and _takes_parameters(node):
                return Thing.OPTIMIZER
            return None
        if name in self._self_zeroing or name.rpartition(".")[2] in self._self_zeroing:
            return Thing.ENGINE
        owner = self._objects.class_named(name, scope)
        if owner is not None:
            return self.class_thing(owner)
        home = scope.home(name)
        definition = home.functions.get(name) if home is not None else None
        if definition is not None:
            if depth >= _MAX_DEPTH or not isinstance(definition.node, cst.FunctionDef):
                return None
            for inner in inside(definition.node.body):
                if isinstance(inner, cst.Return) and inner.value is not None:
                    value: cst.BaseExpression = inner.value
                    where = definition.scope
                    if isinstance(value, cst.Name):
                        bound = where.assigned.get(value.value, [])
                        if bound and bound[0] is not None and not bound[0].index:
                            value = bound[0].expression
                    found = self.classify(value, where, depth=depth + 1)
                    if found is not None:
                        return found
            return None
        full = self._objects.index.imports.full(name)
        if full is not None and full.endswith(ENGINE_FACTORIES):
            return Thing.ENGINE
        found = evidence.by_class(full or name)
        if found is None and _takes_parameters(node) and _mentions_rate(node):
            return Thing.OPTIMIZER
        return found

    def class_thing(self, owner: Class) -> Thing | None:
        """What instances of a class of this file are, judged by its bases from elsewhere."""
        if owner.name in self._self_zeroing:
            return Thing.ENGINE
        for base in self._objects.foreign_bases(owner):
            last = base.rpartition(".")[2]
            if last in ("Module", "LightningModule") or last.endswith("Module"):
                return Thing.MODULE
            if last == "Optimizer" or evidence.by_class(base) is Thing.OPTIMIZER:
                return Thing.OPTIMIZER
        step = self._objects.method(owner, "step")
        clear = self._objects.method(owner, "zero_grad")
        if step is not None and clear is not None and not _mentions(step.node, "backward"):
            return Thing.OPTIMIZER
        return None

    def clears_itself(self, owner: Class) -> bool:
        """An optimizer of this file whose step empties the buffers behind itself."""
        step = self._objects.method(owner, "step")
        return step is not None and _mentions(step.node, "zero_grad", "zero_", "grad_none")

    def _covered(self, call: cst.Call, scope: Scope) -> Refs | None:
        """The modules and tensors handed to an optimizer's constructor."""
        given = next(
            (
                a.value
                for a in call.args
                if (a.keyword is None and a.star == "")
                or (a.keyword is not None and a.keyword.value in ("params", "parameters"))
            ),
            None,
        )
        return self.parameters_in(given, scope) if given is not None else None

    def parameters_in(self, node: cst.BaseExpression, scope: Scope, depth: int = 0) -> Refs | None:
        """The owners of the parameters an expression lists; None if some cannot be told."""
        if depth > _MAX_DEPTH:
            return None
        match node:
            case (
                cst.List(elements=elements)
                | cst.Tuple(elements=elements)
                | cst.Set(elements=elements)
            ):
                return self._all([e.value for e in elements], scope, depth)
            case cst.Dict(elements=pairs):
                wanted = [
                    pair.value
                    for pair in pairs
                    if isinstance(pair, cst.DictElement) and literal(pair.key) == "params"
                ]
                return self._all(wanted, scope, depth) if wanted else None
            case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
                return self._all([left, right], scope, depth)
            case cst.Name(value=name):
                home = scope.home(name)
                values = home.assigned.get(name, []) if home is not None else []
                if len(values) == 1 and values[0] is not None:
                    value = values[0]
                    if not value.iterated and not value.index:
                        inner = self.parameters_in(value.expression, value.scope, depth + 1)
                        if inner is not None:
                            return inner
            case cst.Call(func=func, args=args):
                last = (dotted(func) or "").rpartition(".")[2]
                if last == "chain":
                    return self._all([a.value for a in args], scope, depth)
                if last in ("list", "tuple", "iter") and args:
                    return self.parameters_in(args[0].value, scope, depth + 1)
        refs = self._objects.resolve(node, scope)
        if self._objects.holds_parameters(node, scope):
            return refs or None
        # A bare name may hold anything: only a tensor made in this file speaks for itself.
        return refs if refs and all(self.thing(ref) is Thing.TENSOR for ref in refs) else None

    def _all(self, nodes: list[cst.BaseExpression], scope: Scope, depth: int) -> Refs | None:
        """What a collection spells out; here a bare name is one of its tensors."""
        found: Refs = ()
        for node in nodes:
            part = self.parameters_in(node, scope, depth + 1)
            if part is None and isinstance(node, cst.Name | cst.Attribute):
                part = self._objects.resolve(node, scope) or None
            if part is None:
                return None
            found += part
        return found

    def _learn_uses(self) -> None:
        """`x.step()` with `x.zero_grad()`, or `scaler.step(x)`, shows an optimizer."""
        used: dict[Ref, set[str]] = {}
        for definition in self._objects.index.definitions:
            for node in definition.parts:
                if type(node) is not cst.Call or type(node.func) is not cst.Attribute:
                    continue
                method = node.func.attr.value
                if method not in ("step", "zero_grad", "backward", "unscale_", "parameters"):
                    continue
                receivers = self._objects.resolve(node.func.value, definition.scope)
                for ref in receivers:
                    used.setdefault(ref, set()).add(method)
                if method in ("step", "unscale_") and node.args:
                    if method == "step" and not any(
                        self.thing(ref) is Thing.SCALER or "scaler" in str(ref).lower()
                        for ref in receivers
                    ):
                        continue
                    for ref in receivers:
                        self._things.setdefault(ref, Thing.SCALER)
                    for ref in self._objects.resolve(node.args[0].value, definition.scope):
                        self._things.setdefault(ref, Thing.OPTIMIZER)
        for ref, methods in used.items():
            if ref in self._things or ref.scope == "import":
                continue
            if self.thing(ref) is not None and "zero_grad" in methods:
                continue
            if {"backward", "step"} <= methods:
                self._things[ref] = Thing.ENGINE
            elif {"zero_grad", "step"} <= methods:
                self._things[ref] = Thing.OPTIMIZER
            elif methods & {"parameters", "zero_grad"}:
                self._things[ref] = Thing.MODULE


def _mentions(node: cst.CSTNode, *names: str) -> bool:
    """Whether a function uses an attribute of one of these names, or sets a gradient to None."""
    for part in inside(node):
        match part:
            case cst.Attribute(attr=cst.Name(value=name)) if name in names:
                return True
            case cst.Assign(
                targets=[cst.AssignTarget(target=cst.Attribute(attr=cst.Name(value=name)))],
                value=cst.Name(value="None"),
            ) if name in GRADIENT_ATTRIBUTES and "grad_none" in names:
                return True
    return False


def _takes_parameters(call: cst.Call) -> bool:
    for argument in call.args[:1]:
        for node in (argument.value, *inside(argument.value)):
            match node:
                case cst.Call(func=cst.Attribute(attr=cst.Name(value="parameters"))):
                    return True
    return False


def _mentions_rate(call: cst.Call) -> bool:
    return any(
        a.keyword is not None and a.keyword.value in ("lr", "learning_rate") for a in call.args
    )
