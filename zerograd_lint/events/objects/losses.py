"""What a loss is made of: followed back through the names of its function."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ... import tree
from ...program import Ref
from ...syntax.walk import children
from ..scopes.index import Scope

if TYPE_CHECKING:
    from ..lowering.module import Lowering

CUTS = frozenset({"detach", "item", "data", "numpy", "tolist"})
_MOST_NAMES = 40


def is_divided(loss: tree.Node, scope: Scope) -> bool:
    """The loss is divided somewhere on its way here, so accumulation averages."""
    for node, home in _ingredients(loss, scope):
        match node:
            case tree.BinaryOperation(operator=tree.Divide() | tree.Multiply()):
                return True
            case tree.Name(value=name):
                added = home.augmented.get(name, ())
                if any(isinstance(change.operator, tree.DivideAssign) for change in added):
                    return True
    return False


def is_given(call: tree.Call, scope: Scope) -> bool:
    """Every name the backward starts from is a parameter: `def apply(loss): loss.backward()`."""
    start: list[tree.Node] = [argument.value for argument in call.args if not argument.keyword]
    if not start and isinstance(call.func, tree.Attribute):
        start = [call.func.value]
        if isinstance(call.func.value, tree.Call):
            start = [argument.value for argument in call.func.value.args]
    names = [
        name for node in start if isinstance(node, tree.Name) for name in _made_from(node, scope)
    ]
    homes = [(name, scope.home(name)) for name in names]
    return bool(homes) and all(
        home is not None and name in home.parameters and not home.assigned.get(name)
        for name, home in homes
    )


def _made_from(node: tree.Name, scope: Scope) -> list[str]:
    """The name itself, or what it wraps: `with amp.scale_loss(loss, optimizer) as scaled:`."""
    home = scope.home(node.value)
    values = home.assigned.get(node.value, []) if home is not None else []
    if len(values) == 1 and values[0] is not None and isinstance(values[0].expression, tree.Call):
        first = values[0].expression.args[:1]
        if first and isinstance(first[0].value, tree.Name):
            return [first[0].value.value]
    return [node.value]


def sources(loss: tree.Node, lowering: Lowering) -> frozenset[Ref]:
    """The modules a loss was computed with, where nothing detaches or freezes them."""
    found: set[Ref] = set()
    for node, home in _ingredients(loss, lowering.scope):
        if isinstance(node, tree.Call):
            found.update(lowering.subjects(node.func, home))
    return frozenset(found - lowering.frozen)


def frozen_modules(lowering: Lowering) -> set[Ref]:
    """Modules the file freezes at some time: `net.requires_grad_(False)` and its like."""
    found: set[Ref] = set()
    for definition in lowering.index.definitions:
        for node in definition.parts:
            if type(node) is not tree.Call and type(node) is not tree.Assign:
                continue
            match node:
                case tree.Call(
                    func=tree.Attribute(value=module, attr=tree.Name(value="requires_grad_")),
                    args=[tree.Arg(value=tree.Name(value="False"))],
                ):
                    found.update(lowering.subjects(module, definition.scope))
                case tree.Assign(
                    targets=[
                        tree.AssignTarget(
                            target=tree.Attribute(value=part, attr=tree.Name(value="requires_grad"))
                        )
                    ],
                    value=tree.Name(value="False"),
                ):
                    found.update(lowering.subjects(part, definition.scope))
    return found


def _ingredients(root: tree.Node, scope: Scope) -> Iterator[tuple[tree.Node, Scope]]:
    """All nodes that go into an expression, names replaced by what they are bound to."""
    pending: list[tuple[tree.Node, Scope]] = [(root, scope)]
    known: set[tuple[str, str]] = set()
    while pending:
        node, where = pending.pop()
        match node:
            case tree.Attribute(attr=tree.Name(value=name)) if name in CUTS:
                continue
            case tree.Name(value=name):
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
                continue
        yield node, where
        pending += [(child, where) for child in children(node)]
