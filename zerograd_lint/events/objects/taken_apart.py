"""Parameters that are only taken apart: `actor, critic = nets`, given `[actor, critic]`."""

from __future__ import annotations

import libcst as cst

from ...program import Ref
from ...syntax.walk import everything_in
from ..scopes.scope import Definition, FileIndex, Value


class TakenApart:
    """Answers for the parameters of one file.

    The parts of such a parameter have no other name inside, and no code there has the whole.
    """

    def __init__(self, index: FileIndex) -> None:
        self._definitions = {d.scope.id: d for d in index.definitions}
        self._known: dict[Ref, bool] = {}

    def is_part(self, value: Value) -> bool:
        """Whether a name is given one part of such a parameter."""
        name = value.given_as
        if value.iterated or len(value.index) != 1 or name is None:
            return False
        return self.is_taken_apart(Ref(value.scope.id, name))

    def is_taken_apart(self, parameter: Ref) -> bool:
        """Whether all calls in view spell its parts out, and nothing else is done to it."""
        known = self._known.get(parameter)
        if known is None:
            definition = self._definitions.get(parameter.scope)
            known = definition is not None and self._is_only_unpacked(definition, parameter)
            self._known[parameter] = known
        return known

    def _is_only_unpacked(self, definition: Definition, parameter: Ref) -> bool:
        scope = definition.scope
        if scope.arguments is None or parameter.name not in scope.parameters:
            return False
        given = [members(value.expression) for value in scope.arguments(parameter)]
        unpacked = [a for a in definition.nodes(cst.Assign) if _unpacks(a, parameter.name)]
        if not given or not all(given) or not unpacked:
            return False
        uses = [
            node
            for node in everything_in(definition.node)
            if isinstance(node, cst.Name) and node.value == parameter.name
        ]
        return len(uses) == len(unpacked) + 1  # and the parameter itself


def members(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    """The members of a list or tuple that a call spells out; none where some are not."""
    if not isinstance(node, cst.List | cst.Tuple):
        return []
    if any(isinstance(element, cst.StarredElement) for element in node.elements):
        return []
    return [element.value for element in node.elements]


def _unpacks(statement: cst.Assign, name: str) -> bool:
    """`first, second = name`."""
    match statement:
        case cst.Assign(
            targets=[
                cst.AssignTarget(target=cst.Tuple(elements=elements) | cst.List(elements=elements))
            ],
            value=cst.Name(value=given),
        ) if given == name:
            return not any(isinstance(e, cst.StarredElement) for e in elements)
    return False
