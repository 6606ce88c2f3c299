"""Proof at run time: watch real training, and settle what the linter claims.

Only this package imports torch, and only when something is run.
"""

from __future__ import annotations

from contextlib import AbstractContextManager

from .observation import AuditReport, Crash, Observation
from .requirement import TorchMissing, require_torch
from .sites import Site

__all__ = ["AuditReport", "Crash", "Observation", "Site", "TorchMissing", "audit"]


def audit() -> AbstractContextManager[AuditReport]:
    """Watch the training inside a `with` block: `with zerograd_lint.audit() as report: train()`."""
    require_torch()
    from .session import audit as watch

    return watch()
