"""What tensors hold, read cheaply: samples, zeros, norms and inner products.

On a GPU every answer costs a wait for the device, so each function waits once for all its tensors.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

SAMPLE_SIZE = 256


_INFERENCE = -2


def version_of(tensor: Tensor) -> int:
    """How often the tensor was written to; tensors made in inference mode do not count that."""
    try:
        return tensor._version
    except RuntimeError:
        return _INFERENCE


def local(tensor: Tensor) -> Tensor:
    """A DTensor's share on this rank; any other tensor as it is."""
    share: Tensor = tensor.to_local() if hasattr(tensor, "to_local") else tensor
    return share


def dense(tensor: Tensor) -> Tensor:
    """The stored numbers: all of them, or the values of a sparse gradient."""
    if type(tensor) is Tensor and not tensor.is_sparse and not tensor.is_complex():
        return tensor if not tensor.requires_grad else tensor.detach()
    values = local(tensor.detach())
    if values.is_sparse:
        values = values._values()
    return torch.view_as_real(values) if values.is_complex() else values


def sample(tensor: Tensor, size: int = SAMPLE_SIZE) -> Tensor:
    """At most `size` numbers spread evenly over the tensor; a view where possible."""
    values = dense(tensor)
    count = values.numel()
    if count == 0:
        return values.reshape(-1)
    kept = min(size, count)
    step = count // kept
    if values.is_contiguous() or (
        values.dim() == 4 and values.is_contiguous(memory_format=torch.channels_last)
    ):
        return values.as_strided((kept,), (step,))
    return values.reshape(-1)[::step][:kept]


def are_zero(tensors: Sequence[Tensor]) -> list[bool]:
    """For each tensor, whether it holds nothing but zeros.

    A sample settles it for almost every gradient; only tensors whose sample is all zero are
    read in full.
    """
    answers = [largest == 0.0 for largest in _largest([sample(tensor) for tensor in tensors])]
    doubtful = [
        index
        for index, answer in enumerate(answers)
        if answer and tensors[index].numel() > SAMPLE_SIZE
    ]
    if doubtful:
        in_full = _largest([dense(tensors[index]) for index in doubtful])
        for index, largest in zip(doubtful, in_full, strict=True):
            answers[index] = largest == 0.0
    return answers


def _largest(tensors: Sequence[Tensor]) -> list[float]:
    results = [0.0] * len(tensors)
    by_device: dict[torch.device, list[int]] = {}
    for index, tensor in enumerate(tensors):
        if tensor.numel():
            by_device.setdefault(tensor.device, []).append(index)
    for indices in by_device.values():
        norms = torch._foreach_norm([tensors[index] for index in indices], float("inf"))
        values = _stacked(norms).tolist()
        for index, value in zip(indices, values, strict=True):
            results[index] = value
    return results


def total_norm(gradients: Sequence[Tensor]) -> Tensor | None:
    """The L2 norm over all gradients, left on its device until the number is needed."""
    values = [dense(gradient) for gradient in gradients if gradient.numel()]
    if not values:
        return None
    total: Tensor = _stacked(torch._foreach_norm(values)).norm()
    return total


def _stacked(norms: Sequence[Tensor]) -> Tensor:
    """Single numbers as one tensor; converting each of them would take longer than all the rest."""
    first = norms[0]
    if any(each.dtype != first.dtype or each.device != first.device for each in norms):
        norms = [each.float().to(first.device, non_blocking=True) for each in norms]
    return torch.stack(list(norms)).float()


def inner_products(first: Tensor, second: Tensor) -> Tensor:
    """`first·first`, `first·second` and `second·second`, left on their device."""
    one, other = (local(each).reshape(-1).float() for each in (first, second))
    return torch.stack([one @ one, one @ other, other @ other])


def is_scaled_or_clipped(before: Tensor, after: Tensor) -> bool:
    """Whether `after` is `before` multiplied by a number or clipped, and not another gradient."""
    first, second = before.double(), after.double()
    lengths = first.norm() * second.norm()
    if not bool(torch.isfinite(lengths)) or float(lengths) == 0.0:
        return True
    if float(first @ second / lengths) > 1 - 1e-3:
        return True
    clipped = (second.abs() <= first.abs() * (1 + 1e-6)) & (first * second >= 0)
    return bool(clipped.all())
