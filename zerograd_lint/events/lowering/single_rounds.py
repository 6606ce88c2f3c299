"""Loops that are written as such, and go round once."""

from __future__ import annotations

import libcst as cst

from ...syntax.names import last_name
from ..objects.fixed_values import fixed_value
from ..scopes.scope import Scope

_SAME_ROUNDS = frozenset({"tqdm", "trange", "enumerate", "list", "tuple", "iter", "reversed"})
"""Calls that go round as often as what they are given, or as `range` would."""


def runs_once(iterated: cst.BaseExpression, scope: Scope) -> bool:
    """`for epoch in range(1):`, `for batch in [batch]:`, also with a constant for the number."""
    match iterated:
        case cst.List(elements=[cst.Element()]) | cst.Tuple(elements=[cst.Element()]):
            return True
        case cst.Call(func=func, args=[cst.Arg(value=first, keyword=None), *others]):
            positional = [other.value for other in others if other.keyword is None]
            name = last_name(func)
            if name in ("range", "trange"):
                return _length([first, *positional], scope) == 1
            return name in _SAME_ROUNDS and runs_once(first, scope)
    return False


def _length(bounds: list[cst.BaseExpression], scope: Scope) -> int | None:
    """How many numbers a range has, if that is known and its step is 1."""
    found = [fixed_value(bound, scope) for bound in bounds]
    numbers = [each.value for each in found if each is not None and type(each.value) is int]
    if len(numbers) != len(bounds) or len(bounds) not in (1, 2):
        return None
    return numbers[-1] - (numbers[0] if len(numbers) == 2 else 0)
