"""The gradients that optimizers apply, step by step, for comparing two ways of training."""

from __future__ import annotations

import math
import sys
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer
from torch.optim.optimizer import register_optimizer_step_pre_hook

from ..call_sites import call_chain
from ..wording import size_and_direction


class ConsumedGradients:
    """Collects, inside its `with` block, one vector for every step of an optimizer."""

    def __init__(self) -> None:
        self.steps: list[Tensor] = []

    def __enter__(self) -> ConsumedGradients:
        self._hook = register_optimizer_step_pre_hook(self._before_step)
        return self

    def __exit__(self, *_: object) -> None:
        self._hook.remove()

    def _before_step(self, optimizer: Optimizer, args: Any, kwargs: Any) -> None:
        if call_chain(sys._getframe(1)).nested_in_step:
            return  # a wrapper's inner optimizer applies the same gradients
        parameters = [each for group in optimizer.param_groups for each in group["params"]]
        self.steps.append(torch.cat([_gradient(each) for each in parameters]))


def _gradient(parameter: Tensor) -> Tensor:
    """A missing gradient is the same as a zero one."""
    gradient = parameter.grad if parameter.grad is not None else torch.zeros_like(parameter)
    dense = gradient.detach().to_dense() if gradient.is_sparse else gradient.detach()
    return dense.reshape(-1).to("cpu", torch.float64, copy=True)


def relative_error(applied: Tensor, right: Tensor) -> float:
    """The distance of two gradients over the length of the right one."""
    if applied.shape != right.shape:
        return math.inf
    length = float(right.norm())
    distance = float((applied - right).norm())
    return distance / length if length else math.inf if distance else 0.0


def in_words(applied: Tensor, right: Tensor) -> str:
    """How the applied gradient compares with the right one."""
    if applied.shape != right.shape:
        return "the gradients have different shapes"
    lengths = float(applied.norm()), float(right.norm())
    if not all(lengths):
        return "one of the two gradients is zero"
    cosine = float(applied @ right) / (lengths[0] * lengths[1])
    return size_and_direction(lengths[0] / lengths[1], cosine)
