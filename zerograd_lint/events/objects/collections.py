"""Lists, tuples and dicts of networks, optimizers and parameters, as the code spells them out."""

from __future__ import annotations

import libcst as cst

from ...program import ANY_ELEMENT
from ...syntax.literals import literal
from ...syntax.names import last_name
from ...vocabulary.wrappers import SAME_METHODS, SAME_SECOND
from ..scopes.scope import Scope
from .fixed_values import fixed_value

Placed = tuple[cst.BaseExpression, Scope]

_MAX_DEPTH = 12


def spelt_out(node: cst.BaseExpression, scope: Scope, depth: int = 0) -> list[Placed] | None:
    """The members of a list, tuple or dict that is spelt out, here or where it was bound."""
    if depth > _MAX_DEPTH:
        return None
    match node:
        case cst.Name(value=name):
            value = scope.only_value(name)
            if value is not None:
                members = spelt_out(value.expression, value.scope, depth + 1)
                return _with_additions(members, name, scope)
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            first = spelt_out(left, scope, depth + 1)
            second = spelt_out(right, scope, depth + 1)
            return None if first is None or second is None else first + second
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            found: list[Placed] = []
            for element in elements:
                inner: list[Placed] | None = [(element.value, scope)]
                if isinstance(element, cst.StarredElement):
                    inner = spelt_out(element.value, scope, depth + 1)
                if inner is None:
                    return None
                found += inner
            return found
        case cst.Dict(elements=pairs):
            return [(e.value, scope) for e in pairs if isinstance(e, cst.DictElement)]
    return None


def is_empty(node: cst.BaseExpression) -> bool:
    """`[]`, `{}`, `list()`, `dict()`: a collection that is filled later."""
    match node:
        case cst.List(elements=[]) | cst.Dict(elements=[]):
            return True
        case cst.Call(func=cst.Name(value="list" | "dict"), args=[]):
            return True
    return False


def _with_additions(members: list[Placed] | None, name: str, scope: Scope) -> list[Placed] | None:
    """The members of a list that has a name, with those that are put into it later."""
    home = scope.home(name)
    if members is None or home is None:
        return None
    found = list(members)
    for value in scope.changes.additions.get((home.id, name), ()):
        if value is None or value.index or value.iterated:
            return None
        found.append((value.expression, value.scope))
    # What stays empty in view is filled elsewhere.
    return found or None


def element(node: cst.BaseExpression, key: str, scope: Scope) -> Placed | None:
    """The member of a list, tuple or dict that is spelt out where a name was bound."""
    value = scope.only_value(node.value) if isinstance(node, cst.Name) else None
    match value.expression if value is not None else None:
        case cst.List(elements=members) | cst.Tuple(elements=members):
            if any(isinstance(member, cst.StarredElement) for member in members):
                return None
            found = {f"[{at}]": member.value for at, member in enumerate(members)}
        case cst.Dict(elements=pairs):
            keyed = [pair for pair in pairs if isinstance(pair, cst.DictElement)]
            found = {f"[{literal(pair.key)!r}]": pair.value for pair in keyed}
        case _:
            return None
    chosen = found.get(key)
    return (chosen, value.scope) if chosen is not None and value is not None else None


def holds_parameters(node: cst.BaseExpression, scope: Scope, depth: int = 0) -> bool:
    """A collection of parameters counts as the module itself, not as many owners."""
    match node:
        case cst.Name(value=name):
            values = scope.values(name) if depth < _MAX_DEPTH else []
            if len(values) == 1 and values[0] is not None and not values[0].index:
                return holds_parameters(values[0].expression, values[0].scope, depth + 1)
        case cst.Attribute(attr=cst.Name(value=name)):
            return name in ("param_groups", "params")
        case cst.Subscript() if key_of(node, scope) == "['params']":
            return True
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=name))):
            return name in SAME_METHODS
        case cst.Call(args=args) if args:
            position = 1 if last_name(node.func) in SAME_SECOND and len(args) > 1 else 0
            return holds_parameters(args[position].value, scope, depth)
        case cst.ListComp(for_in=clause) | cst.GeneratorExp(for_in=clause):
            return holds_parameters(clause.iter, scope, depth)
        case cst.BinaryOperation(left=left):
            return holds_parameters(left, scope, depth)
    return False


def joins(node: cst.BinaryOperation, scope: Scope) -> bool:
    """`list(a.parameters()) + [b]` joins lists; any other sum is a new tensor, or a number."""
    return isinstance(node.operator, cst.Add) and any(
        spelt_out(part, scope) is not None or holds_parameters(part, scope)
        for part in (node.left, node.right)
    )


def is_group(node: cst.BaseExpression, scope: Scope) -> bool:
    """One of an optimizer's groups: a dict of settings, and of parameters under one key."""
    match node:
        case cst.Subscript(value=cst.Attribute(attr=cst.Name(value="param_groups"))):
            return True
        case cst.Name(value=name):
            values = scope.values(name)
            return bool(values) and all(
                value is not None and value.iterated and _walks_groups(value.expression)
                for value in values
            )
    return False


def _walks_groups(node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Call) and last_name(node.func) == "enumerate" and node.args:
        node = node.args[0].value
    return isinstance(node, cst.Attribute) and node.attr.value == "param_groups"


def key_of(node: cst.Subscript, scope: Scope) -> str:
    """The step of a reference that a subscript is: `['g']`, `[0]`, or any element."""
    if len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
        fixed = fixed_value(node.slice[0].slice.value, scope)
        if fixed is not None and type(fixed.value) in (str, int):
            return f"[{fixed.value!r}]"
    return ANY_ELEMENT
