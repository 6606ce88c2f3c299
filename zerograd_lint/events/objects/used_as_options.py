"""What code uses as a collection of settings: `opt["lr"]`, `opt.epochs`, `run(**opts)`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import libcst as cst

from ...program import Ref
from ...syntax.literals import literal
from ...syntax.names import last_name
from ...vocabulary import evidence
from ...vocabulary.wrappers import ADDS_MEMBERS
from ..scopes.scope import Definition, FileIndex
from .resolve import Objects


class UsedAsOptions:
    """The objects of one file whose short name means options, by what is asked of them."""

    def __init__(self, index: FileIndex, objects: Objects) -> None:
        self._index = index
        self._objects = objects

    def __contains__(self, ref: Ref) -> bool:
        """Whether something is asked of it that no optimizer has."""
        name = ref.path[-1] if ref.path else ref.name
        return evidence.abbreviates_options(name) and ref in self._refs

    @cached_property
    def _refs(self) -> frozenset[Ref]:
        return frozenset(
            ref
            for definition in self._index.definitions
            for node in _asked(definition)
            if evidence.abbreviates_options(last_name(node))
            for ref in self._objects.subjects(node, definition.scope)
        )

    @cached_property
    def numbers(self) -> frozenset[Ref]:
        """Parameters that are numbers unless the caller says so: `adam_betas=(0.9, 0.99)`."""
        return frozenset(
            Ref(definition.scope.id, name)
            for definition in self._index.definitions
            for name, parameter in definition.scope.parameters.items()
            if parameter.default is not None and _is_number(parameter.default)
            if name not in definition.scope.assigned
        )

    @cached_property
    def filled(self) -> frozenset[str]:
        """The last words of what is given members after it was made."""
        found = {
            last_name(call.func.value)
            for definition in self._index.definitions
            for call in definition.nodes(cst.Call)
            if isinstance(call.func, cst.Attribute) and call.func.attr.value in ADDS_MEMBERS
        }
        elements = (target for target, _, _ in self._index.attributes)
        found.update(last_name(t.value) for t in elements if isinstance(t, cst.Subscript))
        spelt = (name for d in self._index.definitions for name in d.scope.augmented)
        return frozenset(found.union(name.rpartition(".")[2] for name in spelt))


def _is_number(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Tuple):
        return bool(node.elements) and all(_is_number(part.value) for part in node.elements)
    return isinstance(node, cst.Integer | cst.Float)


def _asked(definition: Definition) -> Iterator[cst.BaseExpression]:
    """What is asked for a setting: by a key, by an attribute, or for all of them."""
    for element in definition.nodes(cst.Subscript):
        key = element.slice[0].slice if len(element.slice) == 1 else None
        if isinstance(key, cst.Index) and isinstance(literal(key.value), str):
            yield element.value
    methods: set[cst.CSTNode] = set()
    for call in definition.nodes(cst.Call):
        methods.add(call.func)
        yield from (argument.value for argument in call.args if argument.star == "**")
    for attribute in definition.nodes(cst.Attribute):
        name = attribute.attr.value
        if attribute not in methods and not evidence.is_asked_of_optimizers(name):
            yield attribute.value
