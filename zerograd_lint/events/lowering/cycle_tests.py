"""Tests of remainders: `(i + 1) % n == 0` and all other ways to pick one pass in n."""

from __future__ import annotations

from typing import NamedTuple

import libcst as cst

from ...program import Cycle
from ...syntax.literals import literal
from ...syntax.names import dotted, last_name
from ..objects.numbers import number, number_or_spelling, spelling
from ..scopes.scope import Scope

_MOST_PHASES = 64


class CycleTest(NamedTuple):
    """A cycle, and whether the test holds on its passes or on all others."""

    cycle: Cycle
    holds: bool
    counter: cst.BaseExpression
    divisor: cst.BaseExpression
    picks_single: bool
    """Whether the cycle picks the passes of windows that are one pass long."""


class _Remainder(NamedTuple):
    """`(counter + added) % period`."""

    counter: cst.BaseExpression
    added: int
    period: int | str
    divisor: cst.BaseExpression


def truth_of_remainder(node: cst.BinaryOperation, scope: Scope) -> CycleTest | None:
    """`if i % n:` holds where the remainder is not 0."""
    remainder = _remainder(node, scope)
    return _test(remainder, range(1), False, scope) if remainder is not None else None


def compared_remainder(node: cst.Comparison, scope: Scope) -> CycleTest | None:
    """`i % n == 0`, `i % n != n - 1`, `i % n > 0`, `i % n in (0, 2)`; None for other tests."""
    remainder = _remainder(node.left, scope)
    if remainder is None or len(node.comparisons) != 1:
        return None
    target = node.comparisons[0]
    several = _numbers(target.comparator)
    if several is not None:
        match target.operator:
            case cst.In():
                return _test(remainder, several, True, scope)
            case cst.NotIn():
                return _test(remainder, several, False, scope)
        return None
    value = _value(target.comparator, remainder, scope)
    return _ordered(remainder, target.operator, value, scope) if value is not None else None


def _ordered(
    remainder: _Remainder, operator: cst.BaseCompOp, value: int, scope: Scope
) -> CycleTest | None:
    match operator:
        case cst.Equal():
            return _test(remainder, (value,), True, scope)
        case cst.NotEqual():
            return _test(remainder, (value,), False, scope)
    # A remainder is never negative, and never as large as the period.
    if value == -1:
        match operator:
            case cst.LessThan():
                return _test(remainder, (value,), False, scope)
            case cst.GreaterThanEqual():
                return _test(remainder, (value,), True, scope)
    match operator:
        case cst.LessThan() if 0 < value <= _MOST_PHASES:
            return _test(remainder, range(value), True, scope)
        case cst.GreaterThanEqual() if 0 < value <= _MOST_PHASES:
            return _test(remainder, range(value), False, scope)
        case cst.LessThanEqual() if 0 <= value < _MOST_PHASES:
            return _test(remainder, range(value + 1), True, scope)
        case cst.GreaterThan() if 0 <= value < _MOST_PHASES:
            return _test(remainder, range(value + 1), False, scope)
    return None


def _test(
    remainder: _Remainder, remainders: range | tuple[int, ...], holds: bool, scope: Scope
) -> CycleTest:
    counter, added, period, divisor = remainder
    phases = [value - added for value in remainders]
    if isinstance(period, int):
        phases = [phase % period for phase in phases]
    cycle = Cycle(spelling(counter), period, frozenset(phases), _start(counter, scope))
    # Divided by 1 nothing remains, and `n - 1` is 0.
    return CycleTest(cycle, holds, counter, divisor, 0 in remainders or -1 in remainders)


def _remainder(node: cst.BaseExpression, scope: Scope) -> _Remainder | None:
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Modulo(), right=right):
            if isinstance(left, cst.SimpleString | cst.FormattedString):
                return None
            period = number_or_spelling(right, scope)
            if isinstance(period, int) and period < 1:
                return None
            return _Remainder(*_without_addend(left), period, right)
    return None


def _without_addend(node: cst.BaseExpression) -> tuple[cst.BaseExpression, int]:
    """`i` and 1 of `i + 1`."""
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=cst.Integer() as right):
            return left, int(literal(right) or 0)
        case cst.BinaryOperation(left=left, operator=cst.Subtract(), right=cst.Integer() as right):
            return left, -int(literal(right) or 0)
        case cst.BinaryOperation(left=cst.Integer() as left, operator=cst.Add(), right=right):
            return right, int(literal(left) or 0)
    return node, 0


def _value(node: cst.BaseExpression, remainder: _Remainder, scope: Scope) -> int | None:
    """The number that a remainder is compared with; `n - 1` is -1, the last one."""
    value = number(node, scope)
    if value is not None:
        return value
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Subtract(), right=right):
            less = number(right, scope)
            if less is not None and number_or_spelling(left, scope) == remainder.period:
                return -less
    return None


def _numbers(node: cst.BaseExpression) -> tuple[int, ...] | None:
    if not isinstance(node, cst.Tuple | cst.List | cst.Set):
        return None
    values = [literal(element.value) for element in node.elements]
    return tuple(v for v in values if isinstance(v, int)) if len(values) < _MOST_PHASES else None


def _start(counter: cst.BaseExpression, scope: Scope) -> int | None:
    """The first value of a loop's own counter: 0, or what `enumerate` is told to start with."""
    if not isinstance(counter, cst.Name):
        return None
    values = scope.values(counter.value)
    value = values[0] if len(values) == 1 else None
    if value is None or not value.iterated or not isinstance(value.expression, cst.Call):
        return None
    call = value.expression
    while last_name(call.func) == "tqdm" and call.args:
        inner = call.args[0].value
        if not isinstance(inner, cst.Call):
            return None
        call = inner
    given = [argument.value for argument in call.args]
    match last_name(call.func), len(given):
        case ("enumerate", 1) | ("range", 1):
            return 0
        case ("enumerate", 2):
            return number(given[1], scope)
        case ("range", 2 | 3):
            return number(given[0], scope)
    return None


def is_swapped(node: cst.BaseExpression, scope: Scope) -> bool:
    """`n % (i + 1)`: the counter divides, which it does only while it is smaller than n."""
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Modulo(), right=right):
            divisor, _ = _without_addend(right)
            return _counts(divisor, scope) and not _counts(_without_addend(left)[0], scope)
    return False


def _counts(node: cst.BaseExpression, scope: Scope) -> bool:
    """The variable of a loop, or what is counted up."""
    name = dotted(node) or ""
    values = scope.values(name)
    looped = bool(values) and all(value is not None and value.iterated for value in values)
    return looped or bool(scope.augmented.get(name))
