"""The runtime verifier: audits real training, and confirms or refutes findings by running code.

Only this package imports torch, and only when something is run.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from .call_sites import CallSite
from .observation import AuditReport, Crash, Observation
from .requirement import TorchMissing, require_torch

__all__ = ["AuditReport", "CallSite", "Crash", "Observation", "TorchMissing", "audit"]


def audit() -> AbstractContextManager[AuditReport]:
    """Watch the training inside a `with` block: `with zerograd_lint.audit() as report: train()`."""
    require_torch()
    from .hooks.session import audit as watch

    return watch()
