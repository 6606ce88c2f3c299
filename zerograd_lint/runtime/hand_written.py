"""Updates written by hand: parameters that no optimizer holds, moved along their gradient."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from .books import Books, moved
from .content import sample
from .ledger import Ledger
from .wrongness import inner_products

_CORRELATION = 0.3
"""A change of a tensor this parallel to its gradient is a hand-written update of it."""

_CORRELATION_BESIDE_OPTIMIZER = 0.99
_RATIO_BESIDE_OPTIMIZER = 1.2
"""Averaged copies and target networks follow what an optimizer trains, and so move much as their
own gradient would have them; beside an optimizer only a plain descent at a steady rate counts."""


class HandWritten:
    """Finds them by what changed between two backward passes."""

    def __init__(self, books: Books) -> None:
        self._books = books
        self._last_rate = 0.0

    def updated(self) -> list[Ledger]:
        """Parameters of no optimizer that moved along their gradient since the last backward."""
        candidates: list[tuple[Ledger, Tensor]] = []
        products: list[Tensor] = []
        for ledger in self._books.unowned():
            if ledger.before is None or ledger.remembered is None:
                continue
            parameter = ledger.parameter()
            if parameter is None or not (ledger.fresh or ledger.applied):
                continue
            now, before = sample(parameter), ledger.before[2]
            if now.shape == before.shape == ledger.remembered.shape:
                change = now - before.to(now.device)
                candidates.append((ledger, parameter))
                products.append(inner_products(change, ledger.remembered.to(change.device)))
        if not candidates:
            return []
        numbers = torch.stack([each.to(products[0].device) for each in products]).tolist()
        moved = [
            (ledger, parameter, along)
            for (ledger, parameter), along in zip(candidates, numbers, strict=True)
            if along[0] > 0 or not math.isfinite(along[0])
        ]
        distance, along, gradient = (sum(each[2][k] for each in moved) for k in range(3))
        beside_optimizer = any(
            owners
            for ledger, _, _ in moved
            for backward_pass in (*ledger.fresh[-1:], *ledger.applied[-1:])
            for owners in backward_pass.reached
        )
        needed = _CORRELATION_BESIDE_OPTIMIZER if beside_optimizer else _CORRELATION
        if not moved or abs(along) < needed * math.sqrt(distance * gradient):
            return []
        rate, self._last_rate = self._last_rate, along / gradient if gradient else 0.0
        if beside_optimizer and not _alike(rate, self._last_rate):
            return []
        for ledger, parameter, _ in moved:
            ledger.before = (parameter._version, parameter.data_ptr(), sample(parameter).clone())
        return [ledger for ledger, _, _ in moved]

    def wiped(self) -> list[Ledger]:
        """Parameters written to, yet unmoved, with all of what backward left them cleared."""
        return [
            ledger
            for ledger in self._books.unowned()
            if ledger.lost
            and not ledger.fresh
            and ledger.before is not None
            and (parameter := ledger.parameter()) is not None
            and parameter._version != ledger.before[0]
            and not moved(ledger, parameter)
        ]


def _alike(one: float, other: float) -> bool:
    low, high = sorted((one / other, 1.0)) if other else (0.0, 1.0)
    return low > 0 and high / low < _RATIO_BESIDE_OPTIMIZER
