"""How many elements a loop can visit, where the code spells that out."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence

import libcst as cst

from ...syntax.literals import literal
from ...syntax.names import last_name
from ...vocabulary.element_counts import (
    AS_MANY,
    FEWEST,
    FIRST_SIZE,
    IN_SO_MANY,
    LOADERS,
    NEW_FIRST_AXIS,
    SAME_MEMBERS,
    SECOND_NUMBER,
)
from ..objects.fixed_values import fixed_value
from ..scopes.scope import Scope

_MAX_DEPTH = 6
_ARITHMETIC: dict[type[cst.BaseBinaryOp], Callable[[int, int], int]] = {
    cst.Add: operator.add,
    cst.Subtract: operator.sub,
    cst.Multiply: operator.mul,
}


def at_most(node: cst.BaseExpression, scope: Scope, depth: int = 0) -> int | None:
    """The number of elements that a loop over an expression visits at most; None if not known."""
    if depth > _MAX_DEPTH:
        return None
    match node:
        case cst.List() | cst.Tuple() | cst.Set() | cst.Dict():
            stars = (cst.StarredElement, cst.StarredDictElement)
            starred = any(isinstance(element, stars) for element in node.elements)
            return None if starred else len(node.elements)
        case cst.SimpleString():
            return len(str(literal(node)))
        case cst.Subscript(value=whole, slice=[cst.SubscriptElement(slice=index), *_]):
            return _sliced(whole, index, scope, depth)
        case cst.BinaryOperation(left=cst.List() as left, operator=cst.Multiply(), right=right):
            one, times = at_most(left, scope, depth + 1), whole_number(right, scope)
            return None if one is None or times is None else one * times
        case cst.Name(value=name):
            return _named(name, scope, depth)
        case cst.Call():
            return _called(node, scope, depth)
    return None


def _named(name: str, scope: Scope, depth: int) -> int | None:
    """A tensor or a loader; a list may be given more elements later."""
    value = scope.only_value(name)
    made = value.expression if value is not None else None
    if value is None or not isinstance(made, cst.Call):
        return None
    lasting = last_name(made.func) in FIRST_SIZE | NEW_FIRST_AXIS | LOADERS
    return _called(made, value.scope, depth + 1) if lasting else None


def _sliced(
    whole: cst.BaseExpression, index: cst.BaseSlice, scope: Scope, depth: int
) -> int | None:
    """`data[:1]`, `data[-1:]`, `x[None]`."""
    match index:
        case cst.Index(value=cst.Name(value="None")):
            return 1
        case cst.Slice(lower=lower, upper=upper, step=None):
            known = at_most(whole, scope, depth + 1)
            first = 0 if lower is None else whole_number(lower, scope)
            last = None if upper is None else whole_number(upper, scope)
            if first is None:
                return known
            if upper is None:
                return -first if first < 0 else known
            same_end = last is not None and (first < 0) == (last < 0)
            return max(last - first, 0) if last is not None and same_end else known
    return None


def _called(call: cst.Call, scope: Scope, depth: int) -> int | None:
    name = last_name(call.func)
    given = [argument.value for argument in call.args if argument.keyword is None]
    if any(argument.star for argument in call.args):
        return None
    if name in ("range", "trange", "arange"):
        return _range(given, scope)
    if name == "islice":
        return _range(given[1:], scope)
    if name == "dict" and not given:
        return len(call.args)
    if name in LOADERS:
        return 1 if _takes_all(call) else None
    if name in FIRST_SIZE:
        return _first_size(given, scope)
    if name in SECOND_NUMBER and len(given) == 2:
        return whole_number(given[1], scope)
    if isinstance(call.func, cst.Attribute):
        found = _method(call.func, given, scope, depth)
        if found is not None:
            return found
    return _as_many(name, given, scope, depth)


def _takes_all(loader: cst.Call) -> bool:
    """`DataLoader(data, batch_size=len(data))`."""
    match loader.args:
        case [cst.Arg(value=data, keyword=None), *others]:
            sizes = [
                other.value
                for other in others
                if other.keyword is not None and other.keyword.value == "batch_size"
            ]
            match sizes:
                case [cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=measured)])]:
                    return measured.deep_equals(data)
    return False


def _method(
    func: cst.Attribute, given: Sequence[cst.BaseExpression], scope: Scope, depth: int
) -> int | None:
    """`table.values()`, `x.unsqueeze(0)`, `x.view(1, -1)`, `x.chunk(1)`."""
    name = func.attr.value
    if name in SAME_MEMBERS:
        return at_most(func.value, scope, depth + 1)
    first = whole_number(given[0], scope) if given else None
    if name in NEW_FIRST_AXIS and first == 0:
        return 1
    return first if name in IN_SO_MANY and first is not None and first > 0 else None


def _as_many(
    name: str | None, given: Sequence[cst.BaseExpression], scope: Scope, depth: int
) -> int | None:
    """What goes round as often as what it is given, or as the shortest of that."""
    parts = given[1:] if name in ("map", "filter") else given
    if name in AS_MANY and parts:
        return at_most(parts[0], scope, depth + 1)
    if name in FEWEST:
        lengths = [at_most(part, scope, depth + 1) for part in parts]
        return min((length for length in lengths if length is not None), default=None)
    return None


def _first_size(given: Sequence[cst.BaseExpression], scope: Scope) -> int | None:
    """`torch.randn(1, 3)`, `torch.zeros((1, 3))`."""
    match given:
        case [cst.Tuple(elements=[size, *_]) | cst.List(elements=[size, *_])]:
            return whole_number(size.value, scope)
        case [size, *_]:
            return whole_number(size, scope)
    return None


def _range(bounds: Sequence[cst.BaseExpression], scope: Scope) -> int | None:
    numbers = [whole_number(bound, scope) for bound in bounds]
    known = [each for each in numbers if each is not None]
    if len(known) != len(numbers) or not 1 <= len(known) <= 3 or known[2:] == [0]:
        return None
    return len(range(*known))


def whole_number(node: cst.BaseExpression, scope: Scope) -> int | None:
    """The whole number that an expression is in every run: `1`, `-1`, `N`, `N - 1`, `len([x])`."""
    match node:
        case cst.UnaryOperation(operator=cst.Minus(), expression=inner):
            found = whole_number(inner, scope)
            return None if found is None else -found
        case cst.BinaryOperation(left=left, operator=sign, right=right):
            reckon = _ARITHMETIC.get(type(sign))
            one, other = whole_number(left, scope), whole_number(right, scope)
            return None if reckon is None or one is None or other is None else reckon(one, other)
        case cst.Call(
            func=cst.Name(value="len"), args=[cst.Arg(value=cst.List() | cst.Tuple() as listed)]
        ):
            return at_most(listed, scope)
    fixed = fixed_value(node, scope)
    return fixed.value if fixed is not None and type(fixed.value) is int else None
