"""Checks that micro-batches, accumulated, give the gradient of the full batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from .consumed_gradients import ConsumedGradients, in_words, relative_error

_SEED = 0


def assert_accumulation_equals_full_batch(
    make: Callable[[], tuple[Any, ...]],
    step: Callable[..., object],
    full_batch: Any,
    micro_batches: Sequence[Any],
    *,
    tolerance: float = 1e-3,
) -> None:
    """Fail unless `step` applies the same gradient for the micro-batches as for the full batch.

    `make()` gives what `step` needs, new each time: `(model, optimizer)`, say. It is passed on,
    with a list of batches as the last argument: `step(model, optimizer, batches)` takes one step.
    """
    right = _only_step(make, step, [full_batch])
    applied = _only_step(make, step, list(micro_batches))
    error = relative_error(applied, right)
    if error > tolerance:
        raise AssertionError(
            f"{len(micro_batches)} micro-batches do not add up to the full batch: "
            f"{in_words(applied, right)} (relative error {error:.2g}, allowed {tolerance:g})"
            f"{_hint(applied, right, len(micro_batches))}"
        )


def _only_step(
    make: Callable[[], tuple[Any, ...]], step: Callable[..., object], batches: list[Any]
) -> Tensor:
    torch.manual_seed(_SEED)
    made = make()
    with ConsumedGradients() as consumed:
        step(*made, batches)
    if len(consumed.steps) != 1:
        raise AssertionError(
            f"for a list of {len(batches)} batches `step` took {len(consumed.steps)} optimizer "
            "steps, not one"
        )
    return consumed.steps[0]


def _hint(applied: Tensor, right: Tensor, parts: int) -> str:
    ratio = float(applied @ right) / float(right @ right) if float(right @ right) else 0.0
    if abs(ratio - parts) < 0.01 * parts:
        return "; is the loss divided by the number of micro-batches?"
    if abs(ratio * parts - 1) < 0.01:
        return "; is only one of the micro-batches applied, or the loss divided twice?"
    return "; is a mean taken over each micro-batch by itself, though they differ in size?"
