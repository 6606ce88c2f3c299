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


def mark_scaled(losses: object) -> None:
    """Remember that a scaler made these losses."""
    if isinstance(losses, Tensor):
        node: Any = losses.grad_fn
        if node is not None:
            node.metadata[_MARK] = True
    elif isinstance(losses, Iterable):
        for each in losses:
            mark_scaled(each)


def is_scaled(roots: Iterable[object]) -> bool:
    """Whether a scaler made one of these losses, or one of the terms they are made of."""
    seen: set[Any] = set()
    pending = [node for root in roots if (node := getattr(root, "grad_fn", None)) is not None]
    while pending and len(seen) < _MOST_NODES:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        if _MARK in node.metadata:
            return True
        if _PASSES_FACTORS_ON.fullmatch(node.name()):
            pending.extend(child for child, _ in node.next_functions if child is not None)
    return False
