"""The names whose truth a function asks: `if last:`, `while not done:`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from ...syntax.walk import inside
from ..scopes.scope import Definition


def names_asked(definition: Definition) -> Iterator[str]:
    """The names in its tests, but for those of which it asks whether they are None."""
    not_none = {
        node.left.value
        for node in definition.nodes(cst.Comparison)
        if isinstance(node.left, cst.Name) and _with_none(node)
    }
    tests = [branch.test for branch in definition.nodes(cst.If)]
    tests += [loop.test for loop in definition.nodes(cst.While)]
    for test in tests:
        for part in (test, *inside(test)):
            if isinstance(part, cst.Name) and part.value not in not_none:
                yield part.value


def _with_none(node: cst.Comparison) -> bool:
    return any(
        isinstance(target.comparator, cst.Name) and target.comparator.value == "None"
        for target in node.comparisons
    )
