"""Finds updates written by hand: parameters of no optimizer that moved along their gradient."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor

from ..books.buffer_account import BufferAccount
from ..books.gradient_copies import Snapshot
from ..books.tensor_content import inner_products, sample
from ..observation import BY_HAND

_CORRELATION = 0.3
"""A change of a tensor this parallel to its gradient is a hand-written update of it."""

_CORRELATION_BESIDE_OPTIMIZER = 0.99
_RATIO_BESIDE_OPTIMIZER = 1.2
"""Averaged copies and target networks follow what an optimizer trains, and so move much as their
own gradient would have them; beside an optimizer only a plain descent at a steady rate counts."""


class _Moved(NamedTuple):
    """A parameter that changed since the last backward pass."""

    account: BufferAccount
    parameter: Tensor
    snapshot: Snapshot
    products: list[float]
    """The inner products of its change and its gradient."""


class HandWrittenUpdates:
    """Finds hand-written updates by what changed between two backward passes."""

    def __init__(self) -> None:
        self._last_rate = 0.0

    def updated(self, accounts: list[BufferAccount]) -> list[BufferAccount]:
        """Those of no optimizer that moved along their gradient since the last backward."""
        moved = self._moved(accounts)
        distance, along, gradient = (sum(each.products[k] for each in moved) for k in range(3))
        beside_optimizer = any(_is_beside_optimizer(each.account) for each in moved)
        needed = _CORRELATION_BESIDE_OPTIMIZER if beside_optimizer else _CORRELATION
        if not moved or abs(along) < needed * math.sqrt(distance * gradient):
            return []
        rate, self._last_rate = self._last_rate, along / gradient if gradient else 0.0
        if beside_optimizer and not _alike(rate, self._last_rate):
            return []
        for each in moved:
            each.snapshot.retake_parameter(each.parameter)
        return [each.account for each in moved]

    def _moved(self, accounts: list[BufferAccount]) -> list[_Moved]:
        candidates: list[tuple[BufferAccount, Tensor, Snapshot]] = []
        products: list[Tensor] = []
        for account in accounts:
            parameter, snapshot = account.parameter(), account.snapshot
            if parameter is None or snapshot is None or not _may_be_applied(account):
                continue
            now, before = sample(parameter), snapshot.parameter_sample
            if now.shape == before.shape == snapshot.gradient_sample.shape:
                change = now - before.to(now.device)
                candidates.append((account, parameter, snapshot))
                products.append(inner_products(change, snapshot.gradient_sample.to(change.device)))
        if not candidates:
            return []
        numbers = torch.stack([each.to(products[0].device) for each in products]).tolist()
        return [
            _Moved(*candidate, each)
            for candidate, each in zip(candidates, numbers, strict=True)
            if each[0] > 0 or not math.isfinite(each[0])
        ]

    def wiped(self, accounts: list[BufferAccount]) -> list[BufferAccount]:
        """Parameters written to, yet unmoved, with all of what backward left them cleared.

        Beside an optimizer it is an input that an attack moves, until it comes to its bounds.
        """
        return [
            account
            for account in accounts
            if account.lost
            and not account.fresh
            and not any(account.lost[-1].reached)
            and _was_written_unmoved(account)
        ]


def _may_be_applied(account: BufferAccount) -> bool:
    """Whether a change of the parameter may come from its gradient.

    Where an optimizer of another parameter has borrowed and applied that, as in A3C, the parameter
    only takes over what the optimizer has made of the other one.
    """
    if any(optimizer != BY_HAND for optimizer in account.applied_by):
        return False
    return bool(account.fresh or account.applied)


def _is_beside_optimizer(account: BufferAccount) -> bool:
    """Whether the latest backward pass into this account also fed some optimizer."""
    latest = (*account.fresh[-1:], *account.applied[-1:])
    return any(optimizers for each in latest for optimizers in each.reached)


def _was_written_unmoved(account: BufferAccount) -> bool:
    parameter, snapshot = account.parameter(), account.snapshot
    if parameter is None or snapshot is None:
        return False
    return snapshot.parameter_written(parameter) and not snapshot.parameter_moved(parameter)


def _alike(one: float, other: float) -> bool:
    low, high = sorted((one / other, 1.0)) if other else (0.0, 1.0)
    return low > 0 and high / low < _RATIO_BESIDE_OPTIMIZER
