"""Registers the device `second`; PyTorch calls `load` when it is imported, as for any backend."""

from __future__ import annotations

import contextlib
from types import ModuleType
from typing import Any


def load() -> None:
    import second_device_core
    import torch

    second_device_core.register_hooks()
    torch.utils.rename_privateuse1_backend("second")
    module: Any = ModuleType("torch.second")
    module.is_available = module.is_initialized = lambda: True
    module._is_in_bad_fork = lambda: False
    module.device_count = lambda: 1
    module.current_device = lambda: 0
    module.device = lambda device: contextlib.nullcontext()
    # Random numbers come from the CPU's generator, which has its own seed.
    module.manual_seed = module.manual_seed_all = lambda seed: None
    module.synchronisations = second_device_core.synchronisations
    torch._register_device_module("second", module)
    torch.utils.generate_methods_for_privateuse1_backend(for_storage=True)
