"""Reading the autograd graph behind a loss: its leaves, and which network lies behind which."""

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


_NEAR, _FAR = 1, 2


def leads_through(roots: Iterable[object], near: set[int], far: set[int]) -> bool:
    """Whether the loss reaches the `far` parameters through the network of the `near` ones.

    That is how a generator's loss reaches the generator through the discriminator. Both sets hold
    `id`s. A graph that can be read either way, such as one compiled node, answers no.
    """
    reach: dict[Any, int] = {}
    near_over_far = far_over_near = False
    for root in roots:
        start = getattr(root, "grad_fn", None)
        if start is None:
            continue
        pending: list[tuple[Any, bool]] = [(start, False)]
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
            near_over_far |= _NEAR in below and any(mask & _FAR for mask in below)
            far_over_near |= _FAR in below and any(mask & _NEAR for mask in below)
            mask = 0
            for each in below:
                mask |= each
            variable = getattr(node, "variable", None)
            if variable is not None:
                mask |= _NEAR if id(variable) in near else 0
                mask |= _FAR if id(variable) in far else 0
            reach[node] = mask
    return near_over_far and not far_over_near
