"""Tests of `if` and `while` as conditions: equal tests get equal keys, however they are spelt."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import libcst as cst

from ...program import Atom, Both, Condition, Constant, Cycle, Not, Ref, either, key_of
from ...syntax.literals import literal
from ...syntax.names import dotted, last_name
from ...syntax.visitor import Visitor
from ...syntax.walk import inside
from ...vocabulary.buffers import GRADIENT_ATTRIBUTES
from ...vocabulary.finiteness import FINITENESS
from ...vocabulary.unread_calls import CLOSES_WINDOW
from ..objects.classes import Classes
from ..objects.numbers import spelling
from ..scopes.scope import Scope
from .called_tests import called_test
from .counters import compares_counter
from .cycle_tests import CycleTest, compared_remainder, is_swapped, truth_of_remainder
from .inner_state import asked_inside
from .once_per_loop import Once, counts_anew, once_of
from .setting_tests import (
    Assigned,
    SettingTests,
    answers,
    answers_if_set,
    compared_with_literal,
    is_told,
)
from .window_lengths import divides_in, is_given_number

_OPERATOR = re.compile(r"==|>=|>")
_WORD = re.compile(r"(?<![\w.])([^\W\d]\w*)(?:\.\w+)?")
"""A name, with an attribute of it."""
_CHANCE = frozenset("random rand randint uniform choice next input time pop poll bernoulli".split())
_ASKS_FOR_GRADIENT = GRADIENT_ATTRIBUTES | {"requires_grad"}

SYNCHRONISES = Ref("", "<synchronises>")
"""Whether a launcher lets this micro-batch close its window."""
LAST_OF_WINDOW = Atom("<synchronises>", frozenset({SYNCHRONISES}), periodic=True)


class ConditionVisitor(Visitor):
    """Turns the test expressions of one file into conditions; its methods are given a scope."""

    def __init__(self, assigned: Assigned, classes: Classes) -> None:
        self._expanding: list[cst.BaseExpression] = []
        self._around: list[cst.BaseExpression] = []
        """The tests that the one at hand is a part of."""
        self._classes = classes
        self._assigned = assigned
        self._settings = SettingTests(assigned, classes)

    def condition(self, node: cst.BaseExpression, scope: Scope) -> Condition:
        """The condition under which an expression is true."""
        found: Condition = self.visit(node, scope)
        return found

    def visit_other(self, node: cst.CSTNode, scope: Scope) -> Condition:
        assert isinstance(node, cst.BaseExpression)
        return self._atom(spelling(node), node, scope)

    def visit_UnaryOperation(self, node: cst.UnaryOperation, scope: Scope) -> Condition:
        if isinstance(node.operator, cst.Not):
            return Not(self.condition(node.expression, scope))
        return self.visit_other(node, scope)

    def visit_BooleanOperation(self, node: cst.BooleanOperation, scope: Scope) -> Condition:
        self._around.append(node)
        first, second = self.condition(node.left, scope), self.condition(node.right, scope)
        self._around.pop()
        return Both(first, second) if isinstance(node.operator, cst.And) else either(first, second)

    def visit_Name(self, node: cst.Name, scope: Scope) -> Condition:
        if node.value in ("True", "False", "None"):
            return Constant(node.value == "True")
        defined = _definition(node.value, scope)
        if defined is None or defined[0] in self._expanding:
            return self.visit_other(node, scope)
        self._expanding.append(defined[0])
        expanded = self.condition(*defined)
        self._expanding.pop()
        return expanded

    def visit_NamedExpr(self, node: cst.NamedExpr, scope: Scope) -> Condition:
        return self.condition(node.value, scope)

    def visit_Integer(self, node: cst.Integer, scope: Scope) -> Condition:
        return Constant(literal(node) != 0)

    def visit_Attribute(self, node: cst.Attribute, scope: Scope) -> Condition:
        if node.attr.value in _ASKS_FOR_GRADIENT:
            # Asking whether there is a gradient at all decides nothing about its age.
            return Constant(True, assumed=True)
        if node.attr.value == "sync_gradients":
            return LAST_OF_WINDOW
        return self.visit_other(node, scope)

    def visit_Call(self, node: cst.Call, scope: Scope) -> Condition:
        if last_name(node.func) == "is_grad_enabled":
            # A closure asks it, and is evaluated for its gradients.
            return Constant(True, assumed=True)
        test = called_test(node, scope, self._classes) if not self._expanding else None
        if test is None:
            return self.visit_other(node, scope)
        self._expanding.append(node)
        expanded = self.condition(test, scope)
        self._expanding.pop()
        return _without_counter(expanded)

    def visit_BinaryOperation(self, node: cst.BinaryOperation, scope: Scope) -> Condition:
        if is_swapped(node, scope):
            return Not(self._atom(f"{spelling(node)}==0", node, scope))
        test = truth_of_remainder(node, scope)
        return self.visit_other(node, scope) if test is None else self._periodic(test, node, scope)

    def visit_Comparison(self, node: cst.Comparison, scope: Scope) -> Condition:
        if len(node.comparisons) != 1:
            return self.visit_other(node, scope)
        comparison = node.comparisons[0]
        left, right = node.left, comparison.comparator
        other = spelling(right)
        match comparison.operator:
            case cst.Is() | cst.Equal() if other == "None":
                return Not(self._is_set(left, scope))
            case cst.Equal() if other == "False":
                return Not(self.condition(left, scope))
            case cst.IsNot() | cst.NotEqual() if other == "None":
                return self._is_set(left, scope)
            case cst.Equal() if other == "True":
                return self.condition(left, scope)
            case cst.Equal() if spelling(left) == "__name__":
                return Constant(True)
        return self._compared(node, spelling(left), comparison.operator, other, scope)

    def _is_set(self, node: cst.BaseExpression, scope: Scope) -> Condition:
        """The condition of an expression, asked as `… is not None`."""
        found = self.condition(node, scope)
        if isinstance(found, Atom) and found.setting:
            asked = f"{found.setting} is not None"
            return replace(found, setting=asked, answers=answers_if_set(node, scope), told=False)
        return found

    def _compared(
        self, node: cst.Comparison, left: str, operator: cst.BaseCompOp, right: str, scope: Scope
    ) -> Condition:
        """One key for a comparison and its opposite."""
        test = None if is_swapped(node.left, scope) else compared_remainder(node, scope)
        if test is not None:
            return self._periodic(test, node, scope)
        match operator:
            case cst.Equal():
                return self._atom(f"{left}=={right}", node, scope)
            case cst.NotEqual():
                return Not(self._atom(f"{left}=={right}", node, scope))
            case cst.LessThanEqual():
                return Not(self._atom(f"{left}>{right}", node, scope))
            case cst.LessThan():
                return Not(self._atom(f"{left}>={right}", node, scope))
            case cst.NotIn():
                return Not(self._atom(f"{left} in {right}", node, scope))
            case cst.In():
                return self._atom(f"{left} in {right}", node, scope)
        return self._atom(spelling(node), node, scope)

    def _periodic(self, test: CycleTest, node: cst.BaseExpression, scope: Scope) -> Condition:
        """One key for all spellings of a cycle."""
        if test.cycle.picks_all:
            return Constant(test.holds)
        atom = self._atom(test.cycle.key, node, scope, test.cycle)
        period = test.divisor if self._settings.is_setting(test.divisor, scope) else None
        setting = spelling(period) if period is not None else ""
        single = test.picks_single or not self._settings.is_free(test.divisor, scope)
        atom = replace(atom, counter=test.counter, period_setting=setting, picks_single=single)
        return atom if test.holds else Not(atom)

    def _atom(
        self,
        key: str,
        node: cst.BaseExpression,
        scope: Scope,
        cycle: Cycle | None = None,
    ) -> Atom:
        reads: set[Ref] = set()
        counts = (
            cycle is not None
            or compares_counter(node, scope, self._assigned)
            or (key in CLOSES_WINDOW and not self._says_how_long(key, node, scope))
        )
        swapped = False
        chance = False
        within = scope.within
        parts = (node, *inside(node))
        for part in parts:
            match part:
                case cst.Name(value=name):
                    home = scope.home(name)
                    if home is not None and (name != scope.instance_name or within is None):
                        reads.add(Ref(home.id, name))
                case cst.Attribute(value=cst.Name(value=base), attr=cst.Name(value=attribute)):
                    if base == scope.instance_name and within is not None:
                        reads.add(within.instance.child(attribute))
                case cst.Call(func=func):
                    chance |= (dotted(func) or "").rpartition(".")[2] in _CHANCE
                case cst.BinaryOperation(operator=cst.Modulo()):
                    swapped |= is_swapped(part, scope)
                    counts = True
        if chance:
            return Atom(None, periodic=counts)
        pieces = _pieces(key, reads, scope)
        anew = counts and any(counts_anew(ref, scope) for ref in reads)
        once = Once() if counts else once_of(node, scope)
        setting = not counts and self._settings.is_setting(node, scope)
        return Atom(
            key_of(pieces),
            frozenset(reads).union(asked_inside(parts, scope)),
            counts,
            anew,
            cycle,
            swapped=swapped,
            asks_for_finite=_asks_for_finite(node, scope),
            once_of=once.rounds,
            once_each=once.each,
            last_round=once.last,
            setting=_OPERATOR.sub(r" \g<0> ", key) if setting else "",
            compared=compared_with_literal(node) if setting else "",
            pieces=pieces,
            answers=answers(node, scope) if setting else frozenset(),
            told=isinstance(node, cst.Name) and is_told(node.value, scope),
        )

    def _says_how_long(self, key: str, node: cst.BaseExpression, scope: Scope) -> bool:
        """`self.accumulate > 1`, `self.accumulate`, where that is the length of a window."""
        return (
            self._settings.is_limit(node, scope)
            or divides_in(self._around, key)
            or is_given_number(node, scope, self._assigned)
        )


def _pieces(key: str, reads: Iterable[Ref], scope: Scope) -> tuple[str | Ref, ...]:
    """A key with the objects that it reads in the place of their names.

    A parameter that is given another value is no longer what the caller gave: it keeps its name.
    """
    names = {f"{scope.instance_name}.{ref.path[0]}" if ref.path else ref.name: ref for ref in reads}
    pieces: list[str | Ref] = []
    end = 0
    for word in _WORD.finditer(key):
        name = word[0] if word[0] in names else word[1]
        if name not in names:
            continue
        pieces.append(key[end : word.start()])
        end = word.start() + len(name)
        home = scope.home(name)
        if home is not None and name in home.parameters and home.assigned.get(name):
            pieces.append(f"{name}@{home.id}")
        else:
            pieces.append(names[name])
    pieces.append(key[end:])
    return tuple(filter(None, pieces)) if names else (key,)


def _without_counter(condition: Condition) -> Condition:
    """The same condition; its counter stands in another function."""
    match condition:
        case Atom():
            return replace(condition, counter=None)
        case Not(operand):
            return Not(_without_counter(operand))
        case Both(left, right):
            return Both(_without_counter(left), _without_counter(right))
    return condition


def _definition(name: str, scope: Scope) -> tuple[cst.BaseExpression, Scope] | None:
    """`last = (i + 1) % n == 0` lets `if last:` be read as the test it stands for."""
    value = scope.only_value(name)
    if value is not None and isinstance(
        value.expression, cst.Comparison | cst.BooleanOperation | cst.UnaryOperation
    ):
        return value.expression, value.scope
    return None


def _asks_for_finite(node: cst.BaseExpression, scope: Scope) -> bool:
    """`torch.isfinite(norm)`, also where its answer was named first."""
    if isinstance(node, cst.Name):
        value = scope.only_value(node.value)
        node = value.expression if value is not None else node
    return any(
        isinstance(part, cst.Call) and last_name(part.func) in FINITENESS
        for part in (node, *inside(node))
    )
