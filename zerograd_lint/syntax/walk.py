"""A plain walk over a syntax tree."""

from __future__ import annotations

from collections.abc import Iterator

from .. import tree

_DEFINITIONS = frozenset({tree.FunctionDef, tree.ClassDef})


def children(node: tree.Node) -> list[tree.Node]:
    """The parts of a node that carry meaning, in the order of the source; operators do not."""
    found: list[tree.Node] = []
    for name in node.parts:
        value = getattr(node, name)
        if type(value) is list:
            found += value
        elif isinstance(value, tree.Node) and name != "operator":
            found.append(value)
    return found


def inside(node: tree.Node) -> Iterator[tree.Node]:
    """All nodes below one, without entering functions and classes defined there."""
    pending = children(node)
    pending.reverse()
    while pending:
        current = pending.pop()
        yield current
        if type(current) not in _DEFINITIONS:
            below = children(current)
            if below:
                below.reverse()
                pending += below
