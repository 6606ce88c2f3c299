"""Names of parameters, as the modules that hold them call them."""

from __future__ import annotations

import gc
from collections.abc import Iterable

from torch import Tensor, nn


def names_of(parameters: Iterable[Tensor]) -> list[str]:
    """The names of those that belong to a module, such as `Net.head.weight`."""
    wanted = {id(each) for each in parameters}
    names = {
        id(parameter): name
        for module in _outermost_modules()
        for name, parameter in module.named_parameters(prefix=type(module).__name__)
        if id(parameter) in wanted
    }
    return sorted(names.values())


def _outermost_modules() -> list[nn.Module]:
    # `isinstance` would ask lazy objects for their class, and wake them.
    modules = [each for each in gc.get_objects() if issubclass(type(each), nn.Module)]
    inner = {id(child) for module in modules for child in module.children()}
    return [module for module in modules if id(module) not in inner]
