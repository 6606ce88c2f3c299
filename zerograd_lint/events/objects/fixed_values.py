"""Values that nothing in view changes: constants, tables, and what a class says of its instances.

An option of a command line is none of them: its default is what it may be, not what it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from ...syntax.literals import literal
from ...syntax.names import dotted, last_name
from ..scopes.inheritance import class_named, lineage
from ..scopes.scope import ClassInfo, Scope, Value

_MAX_DEPTH = 6
_PLAIN_BASES = ("object", "NamedTuple", "typing.NamedTuple")
_CONSTANTS = {"True": True, "False": False, "None": None}


class Fixed(NamedTuple):
    """A value that an expression has in every run."""

    value: str | int | float | bool | None


def fixed_value(node: cst.BaseExpression, scope: Scope, depth: int = 0) -> Fixed | None:
    """The one value of an expression; None if it may have others, or if that is not known."""
    if depth > _MAX_DEPTH:
        return None
    spelt = literal(node)
    if spelt is not None:
        return Fixed(spelt)
    match node:
        case cst.Float():
            return Fixed(node.evaluated_value)
        case cst.Name(value=name) if name in _CONSTANTS:
            return Fixed(_CONSTANTS[name])
        case cst.Name() | cst.Attribute():
            named = _only_value(node, scope)
            if named is not None:
                return fixed_value(named.expression, named.scope, depth + 1)
            return _attribute(node, scope, depth) if isinstance(node, cst.Attribute) else None
        case cst.Subscript(value=table):
            key = _key(node)
            return _element(table, key, scope, depth) if key is not None else None
    return None


def _only_value(node: cst.BaseExpression, scope: Scope) -> Value | None:
    """What a name stands for, if it is given that in every run and nothing else ever."""
    name = dotted(node) or ""
    home = scope.home(name)
    if home is None or name in home.parameters or scope.changes.by_name:
        return None
    value = home.only_value(name)
    if value is None or value.turns.arms or name.rpartition(".")[2] in scope.changes.counted:
        return None
    return value


def _attribute(node: cst.Attribute, scope: Scope, depth: int) -> Fixed | None:
    """What a class says of an attribute, where neither it nor its maker says otherwise."""
    name = node.attr.value
    changes = scope.changes
    if changes.by_name or name in changes.attributes or name in changes.counted:
        return None
    spelt = dotted(node.value) or ""
    owner = class_named(spelt, scope)
    if owner is None and scope.is_instance(node.value) and scope.within is not None:
        owner = scope.within if not scope.within.node.decorators else None
    if owner is not None:
        return _of_class(owner, name, depth)
    made = _only_value(node.value, scope) if last_name(node.value) not in changes.tables else None
    call = made.expression if made is not None else None
    if made is None or not isinstance(call, cst.Call):
        return None
    owner = class_named(dotted(call.func) or "", made.scope)
    return _of_instance(owner, call, name, made.scope, depth) if owner is not None else None


def _of_instance(
    owner: ClassInfo, call: cst.Call, name: str, scope: Scope, depth: int
) -> Fixed | None:
    if any(argument.keyword is None for argument in call.args) or not _is_plain(owner):
        return None
    for argument in call.args:
        if argument.keyword is not None and argument.keyword.value == name:
            return fixed_value(argument.value, scope, depth + 1)
    return _of_class(owner, name, depth)


def _is_plain(owner: ClassInfo) -> bool:
    """Whether nothing but its arguments says what an instance is: some read the environment."""
    bases = [(base, each.scope) for each in lineage(owner) for base in each.bases]
    read = all(class_named(base, scope) or base in _PLAIN_BASES for base, scope in bases)
    return read and "__init__" not in owner.methods


def _of_class(owner: ClassInfo, name: str, depth: int) -> Fixed | None:
    for candidate in lineage(owner):
        values = list(_given_in_class(candidate.node, name))
        if values:
            one = values[0] if len(values) == 1 else None
            return fixed_value(one, candidate.scope, depth + 1) if one is not None else None
    return None


def _given_in_class(node: cst.ClassDef, name: str) -> Iterator[cst.BaseExpression | None]:
    for line in node.body.body:
        for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            match statement:
                case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=target))]):
                    if target == name:
                        yield statement.value
                case cst.AnnAssign(target=cst.Name(value=target)) if target == name:
                    yield _default(statement.value)


def _default(node: cst.BaseExpression | None) -> cst.BaseExpression | None:
    """`8` of `8` and of `field(default=8)`."""
    if isinstance(node, cst.Call) and last_name(node.func) == "field":
        given = [a.value for a in node.args if a.keyword and a.keyword.value == "default"]
        return given[0] if given else None
    return node


def _element(table: cst.BaseExpression, key: str, scope: Scope, depth: int) -> Fixed | None:
    """`CONFIG["amp"]`, where it is written down once."""
    if last_name(table) in scope.changes.tables:
        return None
    value = _only_value(table, scope)
    while value is not None and isinstance(value.expression, cst.Name) and depth < _MAX_DEPTH:
        if value.expression.value in scope.changes.tables:
            return None
        depth += 1
        value = _only_value(value.expression, value.scope)
    if value is None or not isinstance(value.expression, cst.Dict):
        return None
    found = [
        pair.value if isinstance(pair, cst.DictElement) else None
        for pair in value.expression.elements
        if not isinstance(pair, cst.DictElement) or literal(pair.key) == key
    ]
    one = found[0] if len(found) == 1 else None
    return fixed_value(one, value.scope, depth + 1) if one is not None else None


def _key(node: cst.Subscript) -> str | None:
    match node.slice:
        case [cst.SubscriptElement(slice=cst.Index(value=index))]:
            key = literal(index)
            return key if isinstance(key, str) else None
    return None
