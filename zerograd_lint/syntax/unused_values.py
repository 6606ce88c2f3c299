"""Which values of an expression on a line of its own are used by nothing."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

_EXHAUSTS = frozenset({"all", "any", "deque", "list", "set", "sum", "tuple"})
"""What asks a generator for its elements, and is called for nothing else on a line of its own."""


def unused_values(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The expression itself, or the parts of which it only makes a collection or a choice."""
    match node:
        case cst.Tuple() | cst.List() | cst.Set():
            for element in node.elements:
                yield from unused_values(element.value)
        case cst.ListComp() | cst.SetComp() | cst.GeneratorExp():
            yield from unused_values(node.elt)
        case cst.DictComp():
            yield from unused_values(node.value)
        case cst.IfExp():
            yield from unused_values(node.body)
            yield from unused_values(node.orelse)
        case cst.BooleanOperation():
            yield from unused_values(node.right)
        case cst.Call(
            func=cst.Name(value=name),
            args=[cst.Arg(value=cst.GeneratorExp() | cst.Call() as made), *_],
        ) if name in _EXHAUSTS:
            yield from unused_values(made)
        case _:
            yield node
