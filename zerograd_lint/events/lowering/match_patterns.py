"""Patterns of `match`: whether they always match, and the names that they give values to."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst


def always_matches(case: cst.MatchCase) -> bool:
    """`case _:` and `case anything:`."""
    pattern = case.pattern
    return isinstance(pattern, cst.MatchAs) and pattern.pattern is None and case.guard is None


def names_captured(node: cst.CSTNode) -> Iterator[cst.Name]:
    """`x` and `rest` of `case (x, *rest):`."""
    if isinstance(node, cst.MatchAs | cst.MatchStar) and node.name is not None:
        yield node.name
    for child in node.children:
        yield from names_captured(child)
