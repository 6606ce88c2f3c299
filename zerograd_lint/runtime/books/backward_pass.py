"""One call of backward, as the accounts of gradient buffers refer to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..call_sites import CallChain


@dataclass(slots=True, eq=False)
class BackwardPass:
    """One call of backward: where it was called, and which optimizers' parameters it reached."""

    number: int
    call: CallChain
    scaled: bool
    """Its loss came out of `GradScaler.scale`."""
    applied_at: dict[int, int] = field(default_factory=dict)
    """The optimizers that have stepped with what it computed: how many passes had begun by then."""
    reached: set[frozenset[int]] = field(default_factory=set)
    """The optimizers of each parameter it added to."""
