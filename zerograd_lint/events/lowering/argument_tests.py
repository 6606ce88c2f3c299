"""What a caller says by an argument that the callee tests: `update(loss, last=i == n - 1)`."""

from __future__ import annotations

import libcst as cst

from ...program import Condition, Constant, Ref, atoms
from ..scopes.scope import Definition, Scope
from .callees import Callee, arguments
from .condition_visitor import ConditionVisitor
from .truth_tests import names_asked

_TRUTH = {"True": True, "False": False, "None": False}
_TESTS = cst.Name | cst.Comparison | cst.BooleanOperation | cst.UnaryOperation


class ArgumentTests:
    """Finds the truth of the parameters that a callee tests."""

    def __init__(self, conditions: ConditionVisitor) -> None:
        self._conditions = conditions
        self._tested: dict[Definition, frozenset[str]] = {}

    def of(self, callee: Callee, call: cst.Call, scope: Scope) -> tuple[tuple[Ref, Condition], ...]:
        """What the callee's parameters are asked for, as conditions of the caller."""
        inner = callee.definition.scope
        tested = self._tested_by(callee.definition)
        given = dict(arguments(callee, call)) if tested else {}
        if any(argument.star for argument in call.args):
            tested &= given.keys()
        found = []
        for name in sorted(tested):
            argument = given.get(name)
            default = _literal(inner.parameters[name].default)
            test = self._test(argument, scope) if argument is not None else default
            if test is not None:
                found.append((Ref(inner.id, name), test))
        return tuple(found)

    def _tested_by(self, definition: Definition) -> frozenset[str]:
        """The parameters whose truth an `if` asks, and which keep the value they are given."""
        known = self._tested.get(definition)
        if known is None:
            inner = definition.scope
            known = self._tested[definition] = frozenset(
                name
                for name in names_asked(definition)
                if name in inner.parameters and not inner.assigned.get(name)
            )
        return known

    def _test(self, argument: cst.BaseExpression, scope: Scope) -> Condition | None:
        if not isinstance(argument, _TESTS):
            return None
        test = self._conditions.condition(argument, scope)
        found = list(atoms(test))
        # What the callee might change could have another answer by the time it is asked.
        local = all(r.scope == scope.id and not r.path for atom in found for r in atom.reads)
        return test if local and all(atom.key is not None for atom in found) else None


def _literal(node: cst.BaseExpression | None) -> Condition | None:
    truth = _TRUTH.get(node.value) if isinstance(node, cst.Name) else None
    return Constant(truth) if truth is not None else None
