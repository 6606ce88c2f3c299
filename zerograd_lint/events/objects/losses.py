"""What a loss is made of: followed back through the names of its function."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...program import Ref
from ...syntax.names import last_name
from ...syntax.walk import children
from ..scopes.scope import FileIndex, Scope
from .numbers import number_or_spelling
from .resolve import Objects

DETACHING = frozenset({"detach", "item", "data", "numpy", "tolist"})
"""What is made of these carries no gradient back."""
_MOST_NAMES = 40


def divisors(loss: cst.CSTNode, scope: Scope) -> frozenset[int | str]:
    """What a loss is divided by on its way here."""
    found: set[int | str] = set()
    for node, home in ingredients(loss, scope):
        match node:
            case cst.Name(value=name):
                for change in home.augmented.get(name, ()):
                    if isinstance(change.operator, cst.DivideAssign):
                        found.add(number_or_spelling(change.value, home))
            case cst.BinaryOperation(operator=cst.Divide(), right=right):
                found.add(number_or_spelling(right, home))
    return frozenset(found)


def calls_in(loss: cst.CSTNode, scope: Scope) -> frozenset[cst.CSTNode]:
    """The calls whose values go into a loss."""
    return frozenset(node for node, _ in ingredients(loss, scope) if isinstance(node, cst.Call))


def is_argument(call: cst.Call, scope: Scope) -> bool:
    """Every name the backward starts from is a parameter: `def apply(loss): loss.backward()`."""
    start: list[cst.CSTNode] = [argument.value for argument in call.args if not argument.keyword]
    if not start and isinstance(call.func, cst.Attribute):
        start = [call.func.value]
        if isinstance(call.func.value, cst.Call):
            start = [argument.value for argument in call.func.value.args]
    names = [
        name for node in start if isinstance(node, cst.Name) for name in _made_from(node, scope)
    ]
    homes = [(name, scope.home(name)) for name in names]
    return bool(homes) and all(
        home is not None and name in home.parameters and not home.assigned.get(name)
        for name, home in homes
    )


def _made_from(node: cst.Name, scope: Scope) -> list[str]:
    """The name itself, or what it wraps: `with amp.scale_loss(loss, optimizer) as scaled:`."""
    values = scope.values(node.value)
    if len(values) == 1 and values[0] is not None and isinstance(values[0].expression, cst.Call):
        first = values[0].expression.args[:1]
        if first and isinstance(first[0].value, cst.Name):
            return [first[0].value.value]
    return [node.value]


def modules_called(loss: cst.CSTNode, scope: Scope, objects: Objects) -> set[Ref]:
    """The modules a loss was computed with, where nothing detaches them."""
    found: set[Ref] = set()
    for node, home in ingredients(loss, scope):
        if isinstance(node, cst.Call):
            found.update(objects.subjects(node.func, home))
    return found


def frozen_modules(index: FileIndex, objects: Objects) -> set[Ref]:
    """Modules the file freezes at some time: `net.requires_grad_(False)` and its like."""
    found: set[Ref] = set()
    for definition in index.definitions:
        calls = filter(_may_freeze, definition.nodes(cst.Call))
        for node in (*calls, *definition.nodes(cst.Assign)):
            frozen = _frozen(node)
            if frozen is not None:
                found.update(objects.subjects(frozen, definition.scope))
    return found


def _may_freeze(call: cst.Call) -> bool:
    return last_name(call.func) == "requires_grad_"


def _frozen(node: cst.CSTNode) -> cst.BaseExpression | None:
    match node:
        case cst.Call(
            func=cst.Attribute(value=module, attr=cst.Name(value="requires_grad_")),
            args=[cst.Arg(value=cst.Name(value="False"))],
        ):
            return module
        case cst.Assign(
            targets=[
                cst.AssignTarget(
                    target=cst.Attribute(value=part, attr=cst.Name(value="requires_grad"))
                )
            ],
            value=cst.Name(value="False"),
        ):
            return part
    return None


def ingredients(root: cst.CSTNode, scope: Scope) -> Iterator[tuple[cst.CSTNode, Scope]]:
    """All nodes that go into an expression, names replaced by what they are bound to."""
    pending: list[tuple[cst.CSTNode, Scope]] = [(root, scope)]
    known: set[tuple[str, str]] = set()
    while pending:
        node, where = pending.pop()
        if type(node) is cst.Name:
            name = node.value
            home = where.home(name)
            if home is not None:
                yield node, home
                if (home.id, name) not in known and len(known) < _MOST_NAMES:
                    known.add((home.id, name))
                    pending += [
                        (value.expression, value.scope)
                        for value in home.assigned.get(name, ())
                        if value is not None and not value.iterated
                    ]
        elif type(node) is not cst.Attribute or node.attr.value not in DETACHING:
            yield node, where
            pending += [(child, where) for child in children(node)]
