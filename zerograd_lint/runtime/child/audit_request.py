"""The request to an audited process, passed to it in one environment variable."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field

VARIABLE = "ZEROGRAD_LINT_REQUEST"
TOKEN_VARIABLE = "ZEROGRAD_LINT_RUN"
"""Marks every process of a run, so that none outlives it unnoticed."""

AUTO = "auto"
"""The device that the program itself chooses."""


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """How to run and what to record."""

    folder: str
    """Where each process leaves its report."""
    steps: int | None = None
    """Stop the program after so many steps."""
    device: str = AUTO
    """Where the program has to run."""
    trace: bool = False
    """Keep the consumed gradients for comparison; seeds everything and uses one thread."""
    enforce: bool = False
    """Clear what a step has applied before the next backward, as a right program does."""
    watched_files: tuple[str, ...] = ()
    """Record which lines of this file, known by several paths, were executed."""
    awaited: tuple[tuple[int, ...], ...] = ()
    """Stop no sooner than `steps` after a line of each of these was executed."""
    replaced: dict[str, str] = field(default_factory=dict)
    """Source text to use instead of what these files hold."""
    copies: dict[str, str] = field(default_factory=dict)
    """Folders that must stay as they are, and the copies that the program works in."""
    port: int | None = None
    """Where the processes of the program are to meet."""

    def to_environment(self, environment: dict[str, str]) -> None:
        """Put the request into the environment of a process to be."""
        environment[VARIABLE] = json.dumps(asdict(self))
        if self.device == "cpu":
            environment["CUDA_VISIBLE_DEVICES"] = ""
        if self.trace:
            environment["OMP_NUM_THREADS"] = "1"
            environment["PYTHONHASHSEED"] = "0"
            environment["PYTHONDONTWRITEBYTECODE"] = "1"

    @classmethod
    def from_environment(cls) -> AuditRequest | None:
        """The request to this process; None if there is none."""
        text = os.environ.get(VARIABLE)
        return cls(**json.loads(text)) if text else None
