"""The autograd graph behind a loss: its leaves, and which networks the loss runs through."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torch import Tensor

_MOST_NODES = 50_000


def leaves(roots: Iterable[object]) -> list[Tensor]:
    """The tensors a backward pass from `roots` adds gradients to."""
    found: list[Tensor] = []
    seen: set[Any] = set()
    pending = [node for root in roots if (node := getattr(root, "grad_fn", None)) is not None]
    for root in roots:
        if isinstance(root, Tensor) and root.grad_fn is None and root.requires_grad:
            found.append(root)
    while pending and len(seen) < _MOST_NODES:
        node = pending.pop()
        if node in seen:
            continue
        seen.add(node)
        variable = getattr(node, "variable", None)
        if isinstance(variable, Tensor):
            found.append(variable)
        pending.extend(child for child, _ in node.next_functions if child is not None)
    return found


_NEAR, _FAR, _WEIGHT = 1, 2, 4


def leads_through(roots: Iterable[object], near: set[int], far: set[int]) -> bool:
    """Whether the loss reaches the `far` parameters through the network of the `near` ones.

    That is how a generator's loss reaches the generator through the discriminator: some operation
    combines a weight of the one with a value computed by the other. Both sets hold `id`s.
    A graph that can be read either way, such as one compiled node, answers no.
    """
    reach: dict[Any, int] = {}
    near_over_far = far_over_near = False
    pending: list[tuple[Any, bool]] = [
        (node, False) for root in roots if (node := getattr(root, "grad_fn", None)) is not None
    ]
    while pending and len(reach) < _MOST_NODES:
        node, children_done = pending.pop()
        if node in reach:
            continue
        children = [child for child, _ in node.next_functions if child is not None]
        if not children_done:
            pending.append((node, True))
            pending.extend((child, False) for child in children if child not in reach)
            continue
        below = [reach.get(child, 0) for child in children]
        near_over_far |= _weighs(below, _NEAR, _FAR)
        far_over_near |= _weighs(below, _FAR, _NEAR)
        reach[node] = _mask(node, below, near, far)
    return near_over_far and not far_over_near


def _weighs(below: list[int], weight: int, value: int) -> bool:
    """One input is a parameter of the first kind, another was computed from the second kind."""
    return weight | _WEIGHT in below and any(mask & value and not mask & _WEIGHT for mask in below)


def _mask(node: Any, below: list[int], near: set[int], far: set[int]) -> int:
    variable = getattr(node, "variable", None)
    if variable is not None:
        kind = (_NEAR if id(variable) in near else 0) | (_FAR if id(variable) in far else 0)
        return kind | _WEIGHT
    if len(below) == 1:
        return below[0]  # a transposed or converted weight is still a weight
    mask = 0
    for each in below:
        mask |= each
    return mask & ~_WEIGHT
