"""`zerograd_lint.testing`: accumulation equals the full batch, and resuming changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from zerograd_lint.testing import (
    assert_accumulation_equals_full_batch,
    assert_resuming_changes_nothing,
)

Made = tuple[nn.Module, torch.optim.Optimizer]
BATCH = torch.randn(16, 4, generator=torch.Generator().manual_seed(0))


def make() -> Made:
    net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    return net, torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)


def accumulates(divide: Callable[[list[Tensor]], list[float]]) -> Callable[..., None]:
    """A step over micro-batches whose losses get these weights."""

    def step(net: nn.Module, optimizer: torch.optim.Optimizer, batches: list[Tensor]) -> None:
        optimizer.zero_grad()
        for batch, weight in zip(batches, divide(batches), strict=True):
            (net(batch).pow(2).mean() * weight).backward()
        optimizer.step()

    return step


def by_size(batches: list[Tensor]) -> list[float]:
    return [len(batch) / sum(map(len, batches)) for batch in batches]


def by_number(batches: list[Tensor]) -> list[float]:
    return [1 / len(batches)] * len(batches)


def not_at_all(batches: list[Tensor]) -> list[float]:
    return [1.0] * len(batches)


@pytest.mark.parametrize(
    ("divide", "sizes"), [(by_size, (4, 4, 4, 4)), (by_size, (1, 5, 10)), (by_number, (8, 8))]
)
def test_right_accumulation_passes(divide: Any, sizes: tuple[int, ...]) -> None:
    parts = BATCH.split(sizes)
    assert_accumulation_equals_full_batch(make, accumulates(divide), BATCH, parts)


@pytest.mark.parametrize(
    ("divide", "sizes", "said"),
    [
        (not_at_all, (4, 4, 4, 4), "4 times too large.*divided by the number of micro-batches"),
        (by_number, (1, 5, 10), "mean taken over each micro-batch by itself"),
    ],
)
def test_wrong_accumulation_fails_in_words(divide: Any, sizes: tuple[int, ...], said: str) -> None:
    parts = BATCH.split(sizes)
    with pytest.raises(AssertionError, match=said):
        assert_accumulation_equals_full_batch(make, accumulates(divide), BATCH, parts)


def test_zeroing_every_micro_batch_fails_too() -> None:
    def step(net: nn.Module, optimizer: torch.optim.Optimizer, batches: list[Tensor]) -> None:
        for batch in batches:
            optimizer.zero_grad()
            (net(batch).pow(2).mean() / len(batches)).backward()
        optimizer.step()

    with pytest.raises(AssertionError, match="4 micro-batches do not add up"):
        assert_accumulation_equals_full_batch(make, step, BATCH, BATCH.split(4))


def test_a_step_for_every_micro_batch_is_said() -> None:
    def step(net: nn.Module, optimizer: torch.optim.Optimizer, batches: list[Tensor]) -> None:
        for batch in batches:
            train(net, optimizer, batch)

    with pytest.raises(AssertionError, match="took 4 optimizer steps, not one"):
        assert_accumulation_equals_full_batch(make, step, BATCH, BATCH.split(4))


def train(net: nn.Module, optimizer: torch.optim.Optimizer, batch: Tensor) -> None:
    optimizer.zero_grad()
    nn.functional.dropout(net(batch), 0.2).pow(2).mean().backward()
    optimizer.step()


def save(net: nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    return {"net": net.state_dict(), "optimizer": optimizer.state_dict()}


def load(net: nn.Module, optimizer: torch.optim.Optimizer, checkpoint: dict[str, Any]) -> None:
    net.load_state_dict(checkpoint["net"])
    optimizer.load_state_dict(checkpoint["optimizer"])


def load_model_only(net: nn.Module, _: object, checkpoint: dict[str, Any]) -> None:
    net.load_state_dict(checkpoint["net"])


def load_nothing(*_: object) -> None:
    """A checkpoint that is never looked at."""


def test_a_whole_checkpoint_passes() -> None:
    assert_resuming_changes_nothing(make, train, BATCH.split(2), save=save, load=load)


@pytest.mark.parametrize(
    ("loaded", "said"),
    [
        (load_model_only, "step 2 after resuming.*state of the optimizer"),
        (load_nothing, "step 1 after resuming.*state of the model"),
    ],
)
def test_what_is_not_loaded_is_named(loaded: Any, said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        assert_resuming_changes_nothing(make, train, BATCH.split(2), save=save, load=loaded)


def test_too_few_batches_are_refused() -> None:
    with pytest.raises(ValueError, match="two after it"):
        assert_resuming_changes_nothing(make, train, BATCH.split(8), save=save, load=load)
