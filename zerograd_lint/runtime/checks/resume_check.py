"""Checks that training resumed from a checkpoint goes on as if it had never stopped."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from .consumed_gradients import ConsumedGradients, in_words, relative_error

_Made = tuple[Any, ...]


def assert_resuming_changes_nothing(
    make: Callable[[], _Made],
    step: Callable[..., object],
    batches: Sequence[Any],
    *,
    save: Callable[..., Any],
    load: Callable[..., object],
    stop_after: int | None = None,
    tolerance: float = 1e-4,
) -> None:
    """Fail unless the steps after a resumption apply the gradients of an uninterrupted run.

    `make()` gives what the others need, new each time: `(model, optimizer)`, say. It is passed on:
    `step(model, optimizer, batch)`, `checkpoint = save(model, optimizer)` and
    `load(model, optimizer, checkpoint)`. Training stops after half of the batches, or `stop_after`.
    """
    stop = len(batches) // 2 if stop_after is None else stop_after
    if not 0 < stop < len(batches) - 1:
        raise ValueError("at least one batch before the checkpoint and two after it are needed")
    made = _new(make, seed=0)
    _train(made, step, batches, range(stop))
    right = _train(made, step, batches, range(stop, len(batches)))
    first = _new(make, seed=0)
    _train(first, step, batches, range(stop))
    checkpoint = _through_a_file(save(*first))
    resumed = _new(make, seed=1)  # another start, so that weights that are not loaded are noticed
    load(*resumed, checkpoint)
    applied = _train(resumed, step, batches, range(stop, len(batches)))
    _compare(applied, right, tolerance)


def _compare(applied: list[Tensor], right: list[Tensor], tolerance: float) -> None:
    if len(applied) != len(right):
        raise AssertionError(f"{len(applied)} steps after resuming, {len(right)} without stopping")
    for number, (one, other) in enumerate(zip(applied, right, strict=True), 1):
        error = relative_error(one, other)
        if error > tolerance:
            loaded = "the model" if number == 1 else "the optimizer, scheduler or scaler"
            raise AssertionError(
                f"step {number} after resuming differs from the run that never stopped: "
                f"{in_words(one, other)} (relative error {error:.2g}, allowed {tolerance:g}); "
                f"is the state of {loaded} saved and loaded?"
            )


def _new(make: Callable[[], _Made], *, seed: int) -> _Made:
    torch.manual_seed(seed)
    return make()


def _train(
    made: _Made, step: Callable[..., object], batches: Sequence[Any], numbers: range
) -> list[Tensor]:
    with ConsumedGradients() as consumed:
        for number in numbers:
            torch.manual_seed(number)  # so that dropout is no difference
            step(*made, batches[number])
    return consumed.steps


def _through_a_file(checkpoint: Any) -> Any:
    """What comes back from a file holds copies, and nothing that cannot be saved."""
    file = io.BytesIO()
    torch.save(checkpoint, file)
    file.seek(0)
    return torch.load(file, weights_only=False)
