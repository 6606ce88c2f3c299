"""Copies of gradients, from which is measured how wrong a step was."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from .tensor_content import inner_products, is_scaled_or_clipped, sample

_MEASURED_SIZE = 4_000_000
"""Parameters beyond this size are not copied to measure how wrong their gradient was."""

_MOST_COPIES = 20_000
"""So many gradients are copied for measuring, over all parameters."""


@dataclass(slots=True)
class Snapshot:
    """Samples of a parameter and its gradient, taken when a backward pass ended."""

    parameter_version: int
    parameter_address: int
    """Another address means that the program put other data there: `p.data = …`."""
    parameter_sample: Tensor
    gradient_sample: Tensor
    gradient_was_zero: bool

    @classmethod
    def take(cls, parameter: Tensor, gradient: Tensor, *, is_zero: bool) -> Snapshot:
        """Samples of a parameter and its gradient as they are now."""
        return cls(
            parameter._version,
            parameter.data_ptr(),
            sample(parameter).clone(),
            sample(gradient).clone(),
            is_zero,
        )

    def retake_parameter(self, parameter: Tensor) -> None:
        """Sample the parameter again, after it has moved."""
        self.parameter_version = parameter._version
        self.parameter_address = parameter.data_ptr()
        self.parameter_sample = sample(parameter).clone()

    def parameter_written(self, parameter: Tensor) -> bool:
        """Whether the parameter was written to since, with other values or the same."""
        return (
            parameter._version != self.parameter_version
            or parameter.data_ptr() != self.parameter_address
        )

    def parameter_moved(self, parameter: Tensor) -> bool:
        """Whether the parameter holds other values than when its gradient arrived."""
        now = sample(parameter)
        return not torch.equal(now, self.parameter_sample.to(now))

    def gradient_replaced(self, gradient: Tensor) -> bool:
        """Whether the buffer holds another gradient, not merely a scaled or clipped one."""
        now, before = sample(gradient), self.gradient_sample
        return now.shape == before.shape and not is_scaled_or_clipped(before, now)


@dataclass(slots=True)
class GradientCopies:
    """Copies of one gradient buffer from which the error of a step is measured."""

    leftover: Tensor | None = None
    """What should not be applied (again), from before a backward pass added to it."""
    wrong_products: Tensor | None = None
    """The inner products of the wrong and the right part of what is in the buffer."""
    content: Tensor | None = None
    """All that was in the buffer after the last backward pass."""
    lost_sum: Tensor | None = None
    """The sum of what was cleared before any step could apply it."""

    def measure(self, gradient: Tensor) -> None:
        """Compare what a backward pass added with what was there before."""
        if self.leftover is not None:
            fresh = gradient.detach() - self.leftover
            self.wrong_products = inner_products(self.leftover, fresh)

    def lose_content(self) -> None:
        """The content was cleared before any step could apply it."""
        if self.content is not None:
            lost = self.lost_sum
            self.lost_sum = self.content if lost is None else lost + self.content

    def drop_parts(self) -> None:
        """Forget which part of the buffer was wrong: it has been applied or cleared."""
        self.leftover = self.wrong_products = None


class CopyBudget:
    """Limits the copies, so that a long run does not pay for measuring to its end."""

    def __init__(self) -> None:
        self._copies = 0

    def spend(self, gradient: Tensor) -> bool:
        """Whether this gradient may be copied; counts it if so."""
        if not is_measurable(gradient):
            return False
        self._copies += 1
        return self._copies <= _MOST_COPIES


def is_measurable(gradient: Tensor) -> bool:
    """Whether the gradient is dense and small enough to be copied."""
    return not gradient.is_sparse and gradient.numel() <= _MEASURED_SIZE
