"""Calls that give back what they were given: `net, optimizer = load(net, optimizer, path)`."""

from __future__ import annotations

import libcst as cst

from ...syntax.literals import literal
from ...syntax.names import dotted
from ..scopes.scope import Definition, Scope, Value
from .collections import spelt_out
from .wrapping import given_for, gives_back_each, wrapped

_MAX_DEPTH = 4


def rewraps(value: Value | None, name: str, depth: int = 0) -> bool:
    """`net = DDP(net)` wraps the object the name already stands for."""
    if value is None or value.iterated or not isinstance(value.expression, cst.Call):
        return False
    if value.index and gives_back_each(value.expression):
        return True
    inner = wrapped(value.expression) or given_back(value, depth)
    return isinstance(inner, cst.Name) and inner.value == name


def binding(values: list[Value | None], name: str) -> Value | None:
    """The one value that a name is given, however often: `net = self.net` on both ways."""
    kept = [value for value in values if not rewraps(value, name)]
    first = kept[0] if kept else None
    if first is None or not all(value is first or _is_same(first, value) for value in kept):
        return None
    return first


def _is_same(one: Value, other: Value | None) -> bool:
    """Whether two values are spelt as one object, and taken as it is."""
    spelt = dotted(one.expression)
    if spelt is None or other is None or other.scope is not one.scope:
        return False
    is_whole = not any(value.iterated or value.index for value in (one, other))
    return is_whole and dotted(other.expression) == spelt


def wrapped_part(value: Value) -> cst.BaseExpression | None:
    """The argument behind one of the results of `accelerator.prepare(net, optimizer)`."""
    call = value.expression
    if not isinstance(call, cst.Call) or not gives_back_each(call) or len(value.index) != 1:
        return None
    return given_for(call, value.index[0])


def given_back(value: Value, depth: int = 0) -> cst.BaseExpression | None:
    """The argument that a function in view gives back, as it is, for this value."""
    call = value.expression
    if value.iterated or not isinstance(call, cst.Call):
        return None
    definition = _function(call.func, value.scope)
    if definition is None:
        return None
    returns = definition.nodes(cst.Return)
    # A function may call itself, or the one that calls it.
    returned = [_returned(node.value, value.index, definition, depth + 1) for node in returns]
    first = returned[0] if returned else None
    if first is None or any(name != first for name in returned):
        return None
    return _argument(call, first, definition)


def _function(func: cst.BaseExpression, scope: Scope) -> Definition | None:
    """A function that a name means, and that runs as it is written."""
    name = dotted(func)
    home = scope.home(name) if name is not None else None
    found = home.functions.get(name) if home is not None and name is not None else None
    if found is None or found.decorators or found.nodes(cst.Yield):
        return None
    return found


def _returned(
    node: cst.BaseExpression | None, index: tuple[int, ...], definition: Definition, depth: int
) -> str | None:
    """The parameter that a function returns, or that is one part of what it returns."""
    for position in index:
        if not isinstance(node, cst.Tuple | cst.List) or position >= len(node.elements):
            return None
        node = node.elements[position].value
    return _parameter(node, definition.scope, depth) if node is not None else None


def _parameter(node: cst.BaseExpression, scope: Scope, depth: int) -> str | None:
    """The parameter of its function that an expression stands for."""
    if depth > _MAX_DEPTH:
        return None
    match node:
        case cst.Name(value=name) if name in scope.parameters:
            kept = all(rewraps(value, name, depth) for value in scope.assigned.get(name, ()))
            return name if kept else None
        case cst.Name(value=name):
            value = scope.only_value(name)
            own = value is not None and value.scope is scope
            return _parameter(value.expression, scope, depth + 1) if value and own else None
        case cst.Subscript():
            element = _element(node, scope)
            return _parameter(element, scope, depth + 1) if element is not None else None
        case cst.Call():
            inner = wrapped(node)
            return _parameter(inner, scope, depth + 1) if inner is not None else None
    return None


def _element(node: cst.Subscript, scope: Scope) -> cst.BaseExpression | None:
    """`pairs[0][1]`, where the list is spelt out and nothing else is put into it."""
    key = None
    if len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
        key = literal(node.slice[0].slice.value)
    if isinstance(node.value, cst.Name) and node.value.value in scope.changes.tables:
        return None
    inner = _element(node.value, scope) if isinstance(node.value, cst.Subscript) else node.value
    members = spelt_out(inner, scope) if inner is not None else None
    if members is None or type(key) is not int or not 0 <= key < len(members):
        return None
    return members[key][0]


def _argument(call: cst.Call, parameter: str, definition: Definition) -> cst.BaseExpression | None:
    """What a call gives for a parameter."""
    position = list(definition.scope.parameters).index(parameter)
    for number, argument in enumerate(call.args):
        if argument.star:
            return None
        keyword = argument.keyword.value if argument.keyword is not None else None
        if keyword == parameter or (keyword is None and number == position):
            return argument.value
    return None
