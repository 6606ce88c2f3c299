"""Tests that hold in one round of a loop: `i == len(batches) - 1`, `phase == "train"`.

A step that such a test guards comes round when the whole loop does, and not before.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from ...program import Rebind, Ref
from ...syntax.names import last_name
from ...syntax.walk import inside
from ..scopes.scope import Scope, Value

_SAME_ROUNDS = frozenset({"tqdm", "list", "tuple", "iter", "reversed", "track"})
_COUNTS = frozenset({"range", "trange", "count"})
_DIFFERENT = cst.Name | cst.Integer | cst.Add | cst.Subtract | cst.BinaryOperation
"""What an expression may consist of that is another number in every round."""


class Once(NamedTuple):
    """How often a test holds while a loop goes round."""

    rounds: frozenset[Ref] = frozenset()
    """Those of which it holds in one at most, as far as can be known."""
    each: bool = False
    """So is it with those in which it does not hold."""
    last: bool = False
    """It is the last of them, as far as what it is compared with is their number."""


def once_of(test: cst.BaseExpression, scope: Scope) -> Once:
    """How often a test holds while a loop goes round."""
    match test:
        case cst.Name(value=name):
            variable = _variable(name, scope)
            if variable is not None and not _is_count(variable):
                return Once(frozenset({_rounds(name, scope)}), True)
        case cst.Comparison(
            left=left,
            comparisons=[
                cst.ComparisonTarget(operator=cst.Equal() | cst.NotEqual(), comparator=right)
            ],
        ):
            found = _equal(left, right, scope)
            return found if found.rounds else _equal(right, left, scope)
        case cst.Comparison(
            left=left,
            comparisons=[
                cst.ComparisonTarget(
                    operator=cst.In() | cst.NotIn(),
                    comparator=cst.List(elements=[one]) | cst.Tuple(elements=[one]),
                )
            ],
        ):
            return _equal(left, one.value, scope)
    return Once()


def rounds_begin(target: cst.BaseExpression, scope: Scope) -> Rebind:
    """A loop begins: what has held in a round of it may hold again."""
    names = [part.value for part in (target, *inside(target)) if isinstance(part, cst.Name)]
    return Rebind(frozenset(_rounds(name, scope) for name in names))


def _equal(one: cst.BaseExpression, other: cst.BaseExpression, scope: Scope) -> Once:
    """A variable of a loop is compared with what is the same in all of its rounds."""
    parts = [one, *inside(one)]
    varying = list(_variables(one, scope))
    if len(varying) != 1 or not all(isinstance(part, _DIFFERENT) for part in parts):
        return Once()
    (name, value), *_ = varying
    if any(each.expression is value.expression for _, each in _variables(other, scope)):
        return Once()
    # What else a loop walks over may come in any number: only names are known to differ.
    is_name = isinstance(one, cst.Name) and isinstance(other, cst.SimpleString | cst.Attribute)
    if not is_name and not _is_count(value):
        return Once()
    is_count = _is_count(value)
    last = is_count and (_counts_from_one(one) or _is_one_less(other))
    return Once(frozenset({_rounds(name, scope)}), not is_count, last)


def _counts_from_one(node: cst.BaseExpression) -> bool:
    """`i + 1`."""
    match node:
        case cst.BinaryOperation(operator=cst.Add(), right=cst.Integer(value="1")):
            return True
    return False


def _is_one_less(node: cst.BaseExpression) -> bool:
    """`len(parts) - 1`, `n - 1`."""
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Subtract(), right=cst.Integer(value="1")):
            return not isinstance(left, cst.Integer)
    return False


def _variables(node: cst.BaseExpression, scope: Scope) -> Iterator[tuple[str, Value]]:
    for part in (node, *inside(node)):
        if isinstance(part, cst.Name):
            value = _variable(part.value, scope)
            if value is not None:
                yield part.value, value


def _variable(name: str, scope: Scope) -> Value | None:
    """What a loop walks over, if a name is its variable and nothing else."""
    values = scope.values(name)
    found = [value for value in values if value is not None and value.iterated]
    return found[0] if found and len(found) == len(values) else None


def _is_count(value: Value) -> bool:
    """`i` of `for i, batch in enumerate(batches)`, or of `for i in range(n)`."""
    node, index = value.expression, value.index
    while isinstance(node, cst.Call):
        name = last_name(node.func)
        if name == "enumerate":
            return index[:1] == (0,)
        if name in _COUNTS:
            return not index
        if name == "zip" and index and index[0] < len(node.args):
            node, index = node.args[index[0]].value, index[1:]
        elif name in _SAME_ROUNDS and node.args:
            node = node.args[0].value
        else:
            return False
    return False


def _rounds(name: str, scope: Scope) -> Ref:
    home = scope.home(name)
    return Ref("", f"<rounds of {home.id if home is not None else ''}:{name}>")


def counts_anew(ref: Ref, scope: Scope) -> bool:
    """The variable of a `for` loop, not a counter that runs on."""
    home = scope.home(ref.name)
    values = home.assigned.get(ref.name, []) if home is not None and home.id == ref.scope else []
    return bool(values) and all(value is not None and value.iterated for value in values)
