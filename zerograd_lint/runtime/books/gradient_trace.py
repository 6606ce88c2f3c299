"""Samples of the gradient that each step consumed, for comparing two runs of a program."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
import torch
from torch import Tensor

from .buffer_account import BufferAccount
from .tensor_content import sample

_NUMBERS_PER_STEP = 65_536
_NUMBERS_PER_PARAMETER = 4_096
_WELL_KEPT_STEPS = 500
_NUMBERS_LATER = 1_024
_MOST_STEPS = 20_000
"""Of the first steps much is kept, of later ones little: what differs at all mostly goes on."""


class GradientTrace:
    """One vector per step: a fixed, evenly spread part of the gradient of every parameter."""

    def __init__(self) -> None:
        self._vectors: dict[str, Tensor] = {}
        self._counts: dict[int, int] = {}

    def record_step(self, key: int, accounts: Sequence[BufferAccount]) -> None:
        """The optimizer of this number is about to apply these buffers."""
        self._record(key, accounts)

    def record_hand_written(self, accounts: Sequence[BufferAccount]) -> None:
        """Without an optimizer the buffer after backward stands for what will be applied."""
        if accounts:
            self._record(0, accounts)

    def _record(self, key: int, accounts: Sequence[BufferAccount]) -> None:
        count = self._counts.get(key, 0)
        self._counts[key] = count + 1
        if count >= _MOST_STEPS:
            return
        numbers = _NUMBERS_PER_STEP if count < _WELL_KEPT_STEPS else _NUMBERS_LATER
        size = max(1, min(_NUMBERS_PER_PARAMETER, numbers // max(1, len(accounts))))
        parts = [
            _part(parameter, size)
            for account in accounts
            if (parameter := account.parameter()) is not None
        ]
        self._vectors[f"{key}/{count}"] = torch.cat(parts) if parts else torch.zeros(0)

    def save(self, path: Path) -> None:
        """Write all vectors into a file of numpy's."""
        arrays: dict[str, Any] = {name: each.numpy() for name, each in self._vectors.items()}
        numpy.savez(path, **arrays)


def _part(parameter: Tensor, size: int) -> Tensor:
    """A missing gradient is the same as a zero one."""
    gradient = parameter.grad
    if gradient is None:
        return torch.zeros(min(size, parameter.numel()))
    if gradient.is_sparse:
        gradient = gradient.to_dense()
    return sample(gradient, size).float().cpu().clone()
