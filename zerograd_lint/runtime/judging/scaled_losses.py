"""Which losses a GradScaler made, by a mark in the autograd graph that lives as long as that."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from torch import Tensor

_MARK = "zerograd-lint: scaled"
_MOST_NODES = 200
_PASSES_FACTORS_ON = re.compile(
    r"(Add|Sub|Neg|Mul|Div|Sum|Mean|Stack|Cat|View|ReshapeAlias|Squeeze|Unsqueeze|Select|ToCopy"
    r"|Alias|Expand)Backward\d*"
)
"""Nodes through which the scale of a loss reaches what is computed from it."""


def mark_scaled(losses: object, scale: Tensor | None) -> None:
    """Remember that a scaler made these losses, by this scale."""
    if isinstance(losses, Tensor):
        node: Any = losses.grad_fn
        if node is not None:
            node.metadata[_MARK] = scale
    elif isinstance(losses, Iterable):
        for each in losses:
            mark_scaled(each, scale)


def scale_of(roots: Iterable[object]) -> Tensor | None:
    """The scale by which a scaler made one of these losses, or a term they are made of."""
    seen: set[Any] = set()
    pending = [node for root in roots if (node := getattr(root, "grad_fn", None)) is not None]
    while pending and len(seen) < _MOST_NODES:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        scale: Tensor | None = node.metadata.get(_MARK)
        if scale is not None:
            return scale
        if _PASSES_FACTORS_ON.fullmatch(node.name()):
            pending.extend(child for child, _ in node.next_functions if child is not None)
    return None
