"""Tests of `if` and `while` as conditions: equal tests get equal keys, however they are spelt."""

from __future__ import annotations

from ... import tree
from ...program import Atom, Both, Condition, Constant, Not, Ref, either
from ...syntax.walk import inside
from ...vocabulary.buffers import GRADIENT_ATTRIBUTES
from ...vocabulary.unread_calls import CLOSES_WINDOW
from ..scopes.imports import dotted
from ..scopes.index import Scope

_CHANCE = frozenset("random rand randint uniform choice next input time pop poll bernoulli".split())
_ASKS_FOR_GRADIENT = GRADIENT_ATTRIBUTES | {"requires_grad"}

SYNCHRONISES = Ref("", "<synchronises>")
"""Whether a launcher lets this micro-batch close its window."""
LAST_OF_WINDOW = Atom("<synchronises>", frozenset({SYNCHRONISES}), periodic=True)


class Tests:
    """Turns the test expressions of one file into conditions."""

    def __init__(self) -> None:
        self._expanding: list[tree.BaseExpression] = []

    def condition(self, node: tree.BaseExpression, scope: Scope) -> Condition:
        match node:
            case tree.UnaryOperation(operator=tree.Not(), expression=operand):
                return Not(self.condition(operand, scope))
            case tree.BooleanOperation(left=left, operator=operator, right=right):
                first, second = self.condition(left, scope), self.condition(right, scope)
                return (
                    Both(first, second) if isinstance(operator, tree.And) else either(first, second)
                )
            case tree.Name(value="True"):
                return Constant(True)
            case tree.Name(value="False" | "None"):
                return Constant(False)
            case tree.Integer():
                return Constant(bool(node.evaluated_value))
            case tree.Comparison(left=left, comparisons=[comparison]):
                return self._comparison(node, left, comparison, scope)
            case tree.Attribute(attr=tree.Name(value=name)) if name in _ASKS_FOR_GRADIENT:
                # Asking whether there is a gradient at all decides nothing about its age.
                return Constant(True)
            case tree.Attribute(attr=tree.Name(value="sync_gradients")):
                return LAST_OF_WINDOW
            case tree.BinaryOperation(operator=tree.Modulo()):
                return Not(self._atom(f"{spell(node)}==0", node, scope, periodic=True))
        defined = self._definition(node, scope)
        if defined is not None and defined[0] not in self._expanding:
            self._expanding.append(defined[0])
            expanded = self.condition(*defined)
            self._expanding.pop()
            return expanded
        return self._atom(spell(node), node, scope)

    def _definition(
        self, node: tree.BaseExpression, scope: Scope
    ) -> tuple[tree.BaseExpression, Scope] | None:
        """`last = (i + 1) % n == 0` lets `if last:` be read as the test it stands for."""
        if not isinstance(node, tree.Name):
            return None
        home = scope.home(node.value)
        values = home.assigned.get(node.value, []) if home is not None else []
        if len(values) != 1 or values[0] is None or values[0].iterated or values[0].index:
            return None
        value = values[0]
        if isinstance(
            value.expression, tree.Comparison | tree.BooleanOperation | tree.UnaryOperation
        ):
            return value.expression, value.scope
        return None

    def _comparison(
        self,
        node: tree.Comparison,
        left: tree.BaseExpression,
        comparison: tree.ComparisonTarget,
        scope: Scope,
    ) -> Condition:
        right = comparison.comparator
        none = isinstance(right, tree.Name) and right.value == "None"
        name, other = spell(left), spell(right)
        match comparison.operator:
            case tree.Is() | tree.Equal() if none:
                return Not(self.condition(left, scope))
            case tree.IsNot() | tree.NotEqual() if none:
                return self.condition(left, scope)
            case tree.Equal() if other == "True":
                return self.condition(left, scope)
            case tree.Equal() if other == "False":
                return Not(self.condition(left, scope))
            case tree.Equal() if name == "__name__":
                return Constant(True)
            case tree.Equal():
                return self._atom(f"{name}=={other}", node, scope)
            case tree.NotEqual():
                return Not(self._atom(f"{name}=={other}", node, scope))
            case tree.LessThanEqual():
                return Not(self._atom(f"{name}>{other}", node, scope))
            case tree.LessThan():
                return Not(self._atom(f"{name}>={other}", node, scope))
            case tree.NotIn():
                return Not(self._atom(f"{name} in {other}", node, scope))
            case tree.In():
                return self._atom(f"{name} in {other}", node, scope)
        return self._atom(spell(node), node, scope)

    def _atom(
        self, key: str, node: tree.BaseExpression, scope: Scope, *, periodic: bool = False
    ) -> Atom:
        reads: set[Ref] = set()
        chance = False
        counts = periodic or key in CLOSES_WINDOW or _is_counter(node, scope)
        for part in (node, *inside(node)):
            match part:
                case tree.Name(value=name):
                    home = scope.home(name)
                    if name == scope.instance_name and scope.within is not None:
                        continue
                    if home is not None:
                        reads.add(Ref(home.id, name))
                case tree.Attribute(value=tree.Name(value=base), attr=tree.Name(value=attribute)):
                    if base == scope.instance_name and scope.within is not None:
                        reads.add(scope.within.instance.child(attribute))
                case tree.Call(func=func):
                    chance |= (dotted(func) or "").rpartition(".")[2] in _CHANCE
                case tree.BinaryOperation(operator=tree.Modulo()):
                    counts = True
        if chance:
            return Atom(None, periodic=counts)
        homes = ",".join(sorted(str(ref.scope) for ref in reads))
        anew = counts and any(_counts_anew(ref, scope) for ref in reads)
        return Atom(f"{key}@{homes}", frozenset(reads), counts, anew)


def spell(node: tree.BaseExpression) -> str:
    """The expression without the freedom of layout: no spaces, no outer parentheses."""
    return "".join(node.code.split()).replace("'", '"')


def _is_counter(node: tree.BaseExpression, scope: Scope) -> bool:
    """`seen == window`, where `seen` is counted up in the same function."""
    match node:
        case tree.Comparison(
            left=left,
            comparisons=[tree.ComparisonTarget(operator=tree.Equal() | tree.GreaterThanEqual())],
        ):
            changes = scope.augmented.get(dotted(left) or "", [])
            return any(isinstance(change.operator, tree.AddAssign) for change in changes)
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
