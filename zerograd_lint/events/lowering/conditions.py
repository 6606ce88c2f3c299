"""Tests of `if` and `while` as conditions: equal tests get equal keys, however they are spelt."""

from __future__ import annotations

import libcst as cst

from ...program import Atom, Both, Condition, Constant, Not, Ref, either
from ...syntax.literals import literal
from ...syntax.names import code_of, dotted
from ...syntax.walk import inside
from ...vocabulary.buffers import GRADIENT_ATTRIBUTES
from ...vocabulary.unread_calls import CLOSES_WINDOW
from ..scopes.index import Scope

_CHANCE = frozenset("random rand randint uniform choice next input time pop poll bernoulli".split())
_ASKS_FOR_GRADIENT = GRADIENT_ATTRIBUTES | {"requires_grad"}

SYNCHRONISES = Ref("", "<synchronises>")
"""Whether a launcher lets this micro-batch close its window."""
LAST_OF_WINDOW = Atom("<synchronises>", frozenset({SYNCHRONISES}), periodic=True)


class Tests:
    """Turns the test expressions of one file into conditions."""

    def __init__(self) -> None:
        self._expanding: list[cst.BaseExpression] = []

    def condition(self, node: cst.BaseExpression, scope: Scope) -> Condition:
        match node:
            case cst.UnaryOperation(operator=cst.Not(), expression=operand):
                return Not(self.condition(operand, scope))
            case cst.BooleanOperation(left=left, operator=operator, right=right):
                first, second = self.condition(left, scope), self.condition(right, scope)
                return (
                    Both(first, second) if isinstance(operator, cst.And) else either(first, second)
                )
            case cst.Name(value="True"):
                return Constant(True)
            case cst.Name(value="False" | "None"):
                return Constant(False)
            case cst.Integer():
                return Constant(literal(node) != 0)
            case cst.Comparison(left=left, comparisons=[comparison]):
                return self._comparison(node, left, comparison, scope)
            case cst.Attribute(attr=cst.Name(value=name)) if name in _ASKS_FOR_GRADIENT:
                # Asking whether there is a gradient at all decides nothing about its age.
                return Constant(True)
            case cst.Attribute(attr=cst.Name(value="sync_gradients")):
                return LAST_OF_WINDOW
            case cst.BinaryOperation(operator=cst.Modulo()):
                return Not(self._atom(f"{spell(node)}==0", node, scope, periodic=True))
        defined = self._definition(node, scope)
        if defined is not None and defined[0] not in self._expanding:
            self._expanding.append(defined[0])
            expanded = self.condition(*defined)
            self._expanding.pop()
            return expanded
        return self._atom(spell(node), node, scope)

    def _definition(
        self, node: cst.BaseExpression, scope: Scope
    ) -> tuple[cst.BaseExpression, Scope] | None:
        """`last = (i + 1) % n == 0` lets `if last:` be read as the test it stands for."""
        if not isinstance(node, cst.Name):
            return None
        home = scope.home(node.value)
        values = home.assigned.get(node.value, []) if home is not None else []
        if len(values) != 1 or values[0] is None or values[0].iterated or values[0].index:
            return None
        value = values[0]
        if isinstance(value.expression, cst.Comparison | cst.BooleanOperation | cst.UnaryOperation):
            return value.expression, value.scope
        return None

    def _comparison(
        self,
        node: cst.Comparison,
        left: cst.BaseExpression,
        comparison: cst.ComparisonTarget,
        scope: Scope,
    ) -> Condition:
        right = comparison.comparator
        none = isinstance(right, cst.Name) and right.value == "None"
        name, other = spell(left), spell(right)
        match comparison.operator:
            case cst.Is() | cst.Equal() if none:
                return Not(self.condition(left, scope))
            case cst.IsNot() | cst.NotEqual() if none:
                return self.condition(left, scope)
            case cst.Equal() if other == "True":
                return self.condition(left, scope)
            case cst.Equal() if other == "False":
                return Not(self.condition(left, scope))
            case cst.Equal() if name == "__name__":
                return Constant(True)
            case cst.Equal():
                return self._atom(f"{name}=={other}", node, scope)
            case cst.NotEqual():
                return Not(self._atom(f"{name}=={other}", node, scope))
            case cst.LessThanEqual():
                return Not(self._atom(f"{name}>{other}", node, scope))
            case cst.LessThan():
                return Not(self._atom(f"{name}>={other}", node, scope))
            case cst.NotIn():
                return Not(self._atom(f"{name} in {other}", node, scope))
            case cst.In():
                return self._atom(f"{name} in {other}", node, scope)
        return self._atom(spell(node), node, scope)

    def _atom(
        self, key: str, node: cst.BaseExpression, scope: Scope, *, periodic: bool = False
    ) -> Atom:
        reads: set[Ref] = set()
        chance = False
        counts = periodic or key in CLOSES_WINDOW or _is_counter(node, scope)
        for part in (node, *inside(node)):
            match part:
                case cst.Name(value=name):
                    home = scope.home(name)
                    if name == scope.instance_name and scope.within is not None:
                        continue
                    if home is not None:
                        reads.add(Ref(home.id, name))
                case cst.Attribute(value=cst.Name(value=base), attr=cst.Name(value=attribute)):
                    if base == scope.instance_name and scope.within is not None:
                        reads.add(scope.within.instance.child(attribute))
                case cst.Call(func=func):
                    chance |= (dotted(func) or "").rpartition(".")[2] in _CHANCE
                case cst.BinaryOperation(operator=cst.Modulo()):
                    counts = True
        if chance:
            return Atom(None, periodic=counts)
        homes = ",".join(sorted(str(ref.scope) for ref in reads))
        anew = counts and any(_counts_anew(ref, scope) for ref in reads)
        return Atom(f"{key}@{homes}", frozenset(reads), counts, anew)


def spell(node: cst.BaseExpression) -> str:
    """The expression without the freedom of layout: no spaces, no outer parentheses."""
    return "".join(code_of(node).split()).replace("'", '"')


def _is_counter(node: cst.BaseExpression, scope: Scope) -> bool:
    """`seen == window`, where `seen` is counted up in the same function."""
    match node:
        case cst.Comparison(
            left=left,
            comparisons=[cst.ComparisonTarget(operator=cst.Equal() | cst.GreaterThanEqual())],
        ):
            changes = scope.augmented.get(dotted(left) or "", [])
            return any(isinstance(change.operator, cst.AddAssign) for change in changes)
    return False


def _counts_anew(ref: Ref, scope: Scope) -> bool:
    """The variable of a `for` loop, not a counter that runs on."""
    home = scope.home(ref.name)
    values = home.assigned.get(ref.name, []) if home is not None and home.id == ref.scope else []
    return bool(values) and all(value is not None and value.iterated for value in values)


def periodic(condition: Condition, taken: bool) -> tuple[bool, bool]:
    """Whether taking this branch means one pass in n, or all but one in n."""
    while isinstance(condition, Not):
        condition, taken = condition.operand, not taken
    match condition:
        case Atom(key=key, periodic=True):
            if key is not None and "%" in key:
                return taken, not taken
            # A name or a counter tells that there are windows, not which way it counts.
            return True, False
        case Both(left, right):
            parts = [periodic(left, taken), periodic(right, taken)]
            return any(part[0] for part in parts), False
    return False, False
