"""What an expression makes: an optimizer, a network, a tensor, judged by its constructor."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import dotted
from ...syntax.walk import inside
from ...vocabulary import evidence
from ...vocabulary.buffers import GRADIENT_ATTRIBUTES
from ...vocabulary.frameworks import ENGINE_FACTORIES
from ...vocabulary.things import Thing
from ..scopes.scope import ClassInfo, Definition, Scope
from .classes import Classes
from .self_clearing import clears_itself

_MAX_DEPTH = 4


class Makers:
    """Judges calls, classes and functions of one file by what they make."""

    def __init__(self, classes: Classes, self_zeroing: frozenset[str]) -> None:
        self._classes = classes
        self._self_zeroing = self_zeroing
        """Classes that the project's settings say to zero by themselves."""

    def thing_made(self, node: cst.BaseExpression, scope: Scope, depth: int = 0) -> Thing | None:
        """What an expression gives, or what the list it gives consists of."""
        match node:
            case cst.Call():
                return self._called(node, scope, depth)
            case cst.Name() | cst.Attribute():
                return None  # most of the others
            case cst.IfExp(body=body, orelse=orelse):
                first = self.thing_made(body, scope, depth)
                return first or self.thing_made(orelse, scope, depth)
            case cst.List(elements=[first, *_]) | cst.Tuple(elements=[first, *_]):
                return self.thing_made(first.value, scope, depth + 1)
            case cst.Dict(elements=[first, *_]):
                return self.thing_made(first.value, scope, depth + 1)
            case cst.ListComp(elt=elt):
                return self.thing_made(elt, scope, depth + 1)
        return None

    def _called(self, node: cst.Call, scope: Scope, depth: int) -> Thing | None:
        name = dotted(node.func)
        if name is None:
            return self._called_indirectly(node, scope, depth)
        if name in self._self_zeroing or name.rpartition(".")[2] in self._self_zeroing:
            return Thing.ENGINE
        owner = self._classes.class_named(name, scope)
        if owner is not None:
            # A fallback under `except ImportError`: which of the two it is, is not known.
            return Thing.OTHER if scope.imports.full(name) else self.instance_of(owner)
        home = scope.home(name)
        definition = home.functions.get(name) if home is not None else None
        if definition is not None:
            return self._returned(definition, depth)
        full = scope.imports.full(name)
        if full is not None and full.endswith(ENGINE_FACTORIES):
            return Thing.ENGINE
        found = evidence.by_class(full or name)
        if found is None and _takes_rate(node) and _takes_parameters(node):
            return Thing.OPTIMIZER
        return found

    def _called_indirectly(self, node: cst.Call, scope: Scope, depth: int) -> Thing | None:
        """`getattr(optim, name)(…)`, `Net().to(device)`, `OPTIMIZERS[name](net.parameters())`."""
        func = node.func
        if isinstance(func, cst.Call) and dotted(func.func) == "getattr" and func.args:
            module = dotted(func.args[0].value) or ""
            full = scope.imports.full(module) or module
            return Thing.OPTIMIZER if full.endswith("optim") else None
        if isinstance(func, cst.Attribute) and isinstance(func.value, cst.Call):
            return self.thing_made(func.value, scope, depth + 1)
        if isinstance(func, cst.Subscript) and _takes_parameters(node):
            return Thing.OPTIMIZER
        return None

    def _returned(self, definition: Definition, depth: int) -> Thing | None:
        """What a function of the file gives back; what a setting chooses, its use has to say."""
        if depth >= _MAX_DEPTH or not isinstance(definition.node, cst.FunctionDef):
            return None
        found: dict[Thing, None] = {}
        for returned in definition.nodes(cst.Return):
            if returned.value is not None:
                value = returned.value
                if isinstance(value, cst.Name):
                    bound = definition.scope.assigned.get(value.value, [])
                    if bound and bound[0] is not None and not bound[0].index:
                        value = bound[0].expression
                made = self.thing_made(value, definition.scope, depth + 1)
                if made is not None:
                    found[made] = None
        chosen = {Thing.OPTIMIZER, Thing.OTHER} <= found.keys()
        return None if chosen else next(iter(found), None)

    def instance_of(self, owner: ClassInfo) -> Thing | None:
        """What instances of a class of this file are, judged by its bases from elsewhere."""
        if owner.name in self._self_zeroing:
            return Thing.ENGINE
        for base in self._classes.foreign_bases(owner):
            last = base.rpartition(".")[2]
            made = evidence.by_class(base)
            if last.endswith("Module") or made is Thing.MODULE:
                return Thing.MODULE
            if last == "Optimizer" or made is Thing.OPTIMIZER:
                return Thing.OPTIMIZER
        step = self._classes.method(owner, "step")
        clear = self._classes.method(owner, "zero_grad")
        if step is not None and clear is not None and not self._runs_backward(owner):
            return Thing.OPTIMIZER if _applies_gradients(owner) else Thing.OTHER
        return None

    def _runs_backward(self, owner: ClassInfo) -> bool:
        """What trains by itself is no optimizer, though it can step and clear as well.

        Under the name of `backward`, optimizers of mixed precision offer one to their callers.
        """
        return any(
            "backward" in _attributes(method)
            for name, method in owner.methods.items()
            if name != "backward"
        )

    def clears_itself(self, owner: ClassInfo) -> bool:
        """An optimizer of this file whose step empties the buffers behind itself."""
        return clears_itself(owner, self._classes)


def _applies_gradients(owner: ClassInfo) -> bool:
    """Some method uses gradients, or has another optimizer step: it does not merely count calls."""
    others = [method for name, method in owner.methods.items() if name != "zero_grad"]
    return any(_attributes(method) & {"step", *GRADIENT_ATTRIBUTES} for method in others)


def _attributes(definition: Definition) -> set[str]:
    return {node.attr.value for node in definition.nodes(cst.Attribute)}


def _takes_parameters(call: cst.Call) -> bool:
    for argument in call.args[:1]:
        for node in (argument.value, *inside(argument.value)):
            match node:
                case cst.Call(func=cst.Attribute(attr=cst.Name(value="parameters"))):
                    return True
    return False


def _takes_rate(call: cst.Call) -> bool:
    return any(
        a.keyword is not None and a.keyword.value in ("lr", "learning_rate") for a in call.args
    )
