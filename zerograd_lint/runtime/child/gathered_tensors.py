"""Tensors that are elsewhere than on the imposed device, when they meet those on it."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

_COPIES = frozenset({"copy_", "__setitem__", "to", "set_", "__get__", "__set__"})
"""What may well have tensors of two devices."""


def has_generator_of_cpu(device: torch.device, options: dict[str, Any]) -> bool:
    """Whether random numbers are asked for that only a generator of the CPU can draw."""
    generator = options.get("generator")
    return generator is not None and generator.device.type == "cpu" != device.type


def drawn_on_cpu(
    func: Any, args: tuple[Any, ...], options: dict[str, Any], device: torch.device
) -> Any:
    """Draw the numbers that the generator gives on the CPU, and move them to the device."""
    if options.get("device") is not None:
        options = {**options, "device": "cpu"}
    on_cpu = [each.cpu() if isinstance(each, Tensor) else each for each in args]
    result = func(*on_cpu, **options)
    if args and isinstance(args[0], Tensor) and result is on_cpu[0]:
        return args[0].copy_(result)
    return result.to(device)


def gathered(func: Any, args: tuple[Any, ...], device: torch.device) -> tuple[Any, ...]:
    """The arguments, those on the CPU moved to the device if others are there already."""
    name = getattr(func, "__name__", "")
    # A copy of the tensor to be changed in place would be changed in its stead.
    in_place = name.endswith("_") and not name.endswith("__")
    if device.type == "cpu" or name in _COPIES or (in_place and "cpu" in _places(args[:1])):
        return args
    places = {place for each in args for place in _places(each)}
    if len(places) < 2:
        return args
    return tuple(_moved(each, device) for each in args)


def _places(value: Any) -> list[str]:
    if isinstance(value, Tensor):
        return [value.device.type] if value.dim() else []
    if isinstance(value, (list, tuple)):
        return [each.device.type for each in value if isinstance(each, Tensor) and each.dim()]
    return []


def _moved(value: Any, device: torch.device) -> Any:
    if isinstance(value, Tensor):
        return value.to(device) if value.device.type == "cpu" and value.dim() else value
    if isinstance(value, (list, tuple)) and any(isinstance(each, Tensor) for each in value):
        return type(value)([_moved(each, device) for each in value])
    return value
