"""The kinds of objects that play a part in training."""

from __future__ import annotations

import enum


class Thing(enum.Enum):
    """What an object is in training."""

    OPTIMIZER = "optimizer"
    MODULE = "module"
    TENSOR = "tensor"
    SCALER = "scaler"
    LAUNCHER = "launcher"
    """Runs backward, but neither steps nor zeroes by itself: Accelerator, Fabric."""
    ENGINE = "engine"
    """Runs backward and step, and zeroes by itself."""
    OTHER = "other"
    """Known to be none of the above."""
