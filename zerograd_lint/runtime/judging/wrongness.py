"""The error of a step: how far the applied gradient was from the right one."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from ..books.buffer_account import BufferAccount
from ..books.tensor_content import inner_products


@dataclass(frozen=True, slots=True)
class Wrongness:
    """The error of an applied gradient, in three numbers."""

    relative_error: float
    """L2 distance between the applied and the right gradient, over the norm of the right one."""
    cosine: float
    """Cosine between the applied and the right gradient."""
    wrong_share: float
    """Norm of what should not be there (or is missing), as a share of both norms."""
    size: float
    """Norm of the applied gradient over the norm of the right one."""
    wrong_norm: float = 0.0
    right_norm: float = 0.0


NOTHING_APPLIED = Wrongness(relative_error=1.0, cosine=0.0, wrong_share=1.0, size=0.0)


def of_surplus(accounts: Iterable[BufferAccount]) -> Wrongness | None:
    """Leftovers, or the gradient of a foreign loss, were applied together with the right one."""
    products = [
        account.copies.wrong_products
        for account in accounts
        if account.copies.wrong_products is not None
    ]
    if not products:
        return None
    wrong, mixed, right = _summed(products)
    if not math.isfinite(wrong + mixed + right):
        return None
    applied = wrong + 2 * mixed + right
    return Wrongness(
        relative_error=_ratio(math.sqrt(wrong), math.sqrt(right)),
        cosine=_ratio(mixed + right, math.sqrt(max(applied, 0.0) * right)),
        wrong_share=_ratio(math.sqrt(wrong), math.sqrt(wrong) + math.sqrt(right)),
        size=_ratio(math.sqrt(max(applied, 0.0)), math.sqrt(right)),
        wrong_norm=math.sqrt(wrong),
        right_norm=math.sqrt(right),
    )


def of_lost(accounts: Iterable[BufferAccount]) -> Wrongness | None:
    """A part of the gradient was cleared away before it could be applied."""
    products = [
        inner_products(copies.lost_sum, copies.content)
        for copies in (account.copies for account in accounts)
        if copies.lost_sum is not None and copies.content is not None
    ]
    if not products:
        return None
    lost, mixed, applied = _summed(products)
    if not math.isfinite(lost + mixed + applied):
        return None
    right = lost + 2 * mixed + applied
    return Wrongness(
        relative_error=_ratio(math.sqrt(lost), math.sqrt(max(right, 0.0))),
        cosine=_ratio(mixed + applied, math.sqrt(max(right, 0.0) * applied)),
        wrong_share=_ratio(math.sqrt(lost), math.sqrt(lost) + math.sqrt(applied)),
        size=_ratio(math.sqrt(applied), math.sqrt(max(right, 0.0))),
        wrong_norm=math.sqrt(lost),
        right_norm=math.sqrt(applied),
    )


def lost_overflowed(accounts: Iterable[BufferAccount]) -> bool:
    """Whether what was cleared away held infinities or NaN."""
    sums = [
        copies.lost_sum.sum()
        for copies in (each.copies for each in accounts)
        if copies.lost_sum is not None
    ]
    if not sums:
        return False
    return not bool(
        torch.stack([each.to(sums[0].device).abs().double() for each in sums]).sum().isfinite()
    )


def _summed(products: list[Tensor]) -> tuple[float, float, float]:
    device = products[0].device
    first, mixed, second = torch.stack([each.to(device) for each in products]).sum(0).tolist()
    return first, mixed, second


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0
