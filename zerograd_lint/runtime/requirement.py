"""The runtime verifier needs torch, which linting does not: say so once, in one sentence."""

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
    if not torch_is_installed():
        raise TorchMissing
