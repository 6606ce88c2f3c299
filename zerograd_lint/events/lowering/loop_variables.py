"""What the variables of a loop stand for while it runs."""

from __future__ import annotations

import libcst as cst

from ...program import Ref
from ...syntax.walk import inside
from ..objects.resolver import Resolver
from ..scopes.loop_names import loop_names, loop_targets
from ..scopes.scope import Scope
from .emitter import Emitter


class LoopVariables:
    """Resolves the variables of `for` loops and comprehensions."""

    def __init__(self, resolver: Resolver, emitter: Emitter) -> None:
        self._resolver = resolver
        self._emitter = emitter
        self._index_names: set[str | None] | None = None

    def body_scope(self, target: cst.BaseExpression, iterated: cst.BaseExpression) -> Scope:
        """The scope of a loop's body, where its variables may stand for known objects."""
        scope = self._emitter.scope
        names = loop_names(target, iterated, scope)
        known = any(
            self._resolver.objects.elements(value.expression, value.index, scope)
            for values in names.values()
            for value in values
            if value is not None
        )
        return scope.inside_loop(names) if known else scope

    def collections_walked(
        self, target: cst.BaseExpression, iterated: cst.BaseExpression, body: cst.CSTNode | None
    ) -> tuple[Ref, ...]:
        """The collections a loop visits one by one: by element, or by index."""
        objects, scope = self._resolver.objects, self._emitter.scope
        found: set[Ref] = set()
        names = set()
        for index, name in loop_targets(target):
            names.add(name)
            found.update(objects.elements(iterated, index, scope))
        for part in inside(body) if body is not None and self._indexes(names) else ():
            if type(part) is cst.Subscript and _index_name(part) in names:
                rows = objects.subjects(part.value, scope)
                if not any(map(self._resolver.inventory.is_tensor, rows)):
                    found.update(objects.subjects(part, scope))
        return tuple(ref for ref in found if ref.scope != "import")

    def _indexes(self, names: set[str]) -> bool:
        """Whether one of these names is an index anywhere in the file."""
        if self._index_names is None:
            self._index_names = {
                _index_name(node)
                for definition in self._resolver.index.definitions
                for node in definition.nodes(cst.Subscript)
            }
        return not names.isdisjoint(self._index_names)


def _index_name(node: cst.Subscript) -> str | None:
    """`i` of `optimizers[i]`."""
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=cst.Name(value=name)))]:
            return name
    return None
