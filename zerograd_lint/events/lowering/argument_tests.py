"""What a caller says by an argument that the callee tests: `update(loss, last=i == n - 1)`.

An argument that is None, or an object that is made in view, answers a test for None as well.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...program import Condition, Constant, Ref, atoms
from ...syntax.literals import truth
from ..objects.makers import Makers
from ..scopes.scope import Definition, Scope, Value
from .callees import Callee, arguments
from .condition_visitor import ConditionVisitor
from .truth_tests import asked_if_none, names_asked

_TESTS = cst.Name | cst.Comparison | cst.BooleanOperation | cst.UnaryOperation


class ArgumentTests:
    """Finds the truth of the parameters that a callee tests."""

    def __init__(self, conditions: ConditionVisitor, makers: Makers) -> None:
        self._conditions = conditions
        self._makers = makers
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
            default = truth(inner.parameters[name].default)
            if argument is not None:
                test = self._test(argument, scope)
            else:
                test = Constant(default) if default is not None else None
            if test is not None:
                found.append((Ref(inner.id, name), test))
        return (*found, *self._if_there(callee, call, scope))

    def _if_there(
        self, callee: Callee, call: cst.Call, scope: Scope
    ) -> Iterator[tuple[Ref, Condition]]:
        """Of parameters that may be None: those that are said to be, and those that are not.

        A default is none of them: other callers may give what this one leaves out.
        """
        inner = callee.definition.scope
        asked = asked_if_none(callee.definition)
        for name, argument in arguments(callee, call) if asked else ():
            if name in asked and name in inner.parameters and not inner.assigned.get(name):
                there = self._is_there(argument, scope)
                if there is not None:
                    yield Ref(inner.id, name), Constant(there)

    def _is_there(self, argument: cst.BaseExpression, scope: Scope) -> bool | None:
        if isinstance(argument, cst.Name) and argument.value == "None":
            return False
        value = scope.only_value(argument.value) if isinstance(argument, cst.Name) else None
        made = Value(argument, scope) if value is None else value
        if not isinstance(made.expression, cst.Call) or made.index or made.turns.arms:
            return None
        return True if self._makers.thing_made(made.expression, made.scope) else None

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
