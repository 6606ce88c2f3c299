"""The check that torch is installed, which the runtime verifier needs and linting does not."""

from __future__ import annotations

import importlib.util

INSTALL_HINT = (
    'running code needs PyTorch, which is not installed: pip install "zerograd-lint[verify]"'
)


class TorchMissing(ImportError):
    """PyTorch is not installed, and the message says how to get it."""

    def __init__(self) -> None:
        super().__init__(INSTALL_HINT)


def torch_is_installed() -> bool:
    return importlib.util.find_spec("torch") is not None


def require_torch() -> None:
    """Raise `TorchMissing` if PyTorch is not installed."""
    if not torch_is_installed():
        raise TorchMissing
