"""The account of one gradient buffer: which backward passes are in it, and what became of them."""

from __future__ import annotations

import itertools
import weakref
from dataclasses import dataclass, field

from torch import Tensor

from .sites import Call

_KEPT = 64
"""Accounts forget all but this many entries, so that a long run costs no more memory."""

_NO_BUFFER = -1
_NOBODY: frozenset[int] = frozenset()

_marks = itertools.count(1)


@dataclass(slots=True, eq=False)
class BackwardPass:
    """One call of backward."""

    number: int
    call: Call
    scaled: bool
    """Its loss came out of `GradScaler.scale`."""
    reached: set[frozenset[int]] = field(default_factory=set)
    """The owners of the parameters it added to."""


class Ledger:
    """What one parameter's `.grad` holds, told by where it came from rather than by its values.

    `fresh` passes wait to be applied, `applied` ones were applied and are still in the buffer,
    `lost` ones were cleared away before any step could apply them. `leftover` and `own` are copies
    of the buffer from before a pass added to it, made where the difference has to be measured.
    """

    __slots__ = (
        "applied",
        "applied_by",
        "before",
        "fresh",
        "kept_gradient",
        "leftover",
        "losses",
        "lost",
        "lost_sum",
        "mark",
        "nonzero",
        "own",
        "owners",
        "parameter",
        "remembered",
        "rewritten",
        "touched",
        "vanished",
        "version",
        "wrong_products",
    )

    def __init__(self, parameter: Tensor) -> None:
        self.parameter = weakref.ref(parameter)
        self.owners: frozenset[int] = frozenset()
        """The optimizers that hold this parameter."""
        self.mark = next(_marks)
        self.version = _NO_BUFFER
        self.fresh: tuple[BackwardPass, ...] = ()
        self.applied: tuple[BackwardPass, ...] = ()
        self.applied_by = _NOBODY
        self.lost: tuple[BackwardPass, ...] = ()
        self.losses = 0
        self.rewritten = False
        self.touched = False
        """Somebody wrote to the buffer after the last backward: to clip it, or to replace it?"""
        self.vanished = False
        self.nonzero: bool | None = None
        self.before: tuple[int, int, Tensor] | None = None
        self.remembered: Tensor | None = None
        self.leftover: Tensor | None = None
        self.own: Tensor | None = None
        self.wrong_products: Tensor | None = None
        self.kept_gradient: Tensor | None = None
        self.lost_sum: Tensor | None = None

    def deposit(self, backward_pass: BackwardPass) -> None:
        """A backward pass added to the buffer."""
        if backward_pass not in self.fresh:
            self.fresh = (*self.fresh[-_KEPT:], backward_pass)
        self.vanished = False

    def cleared(self, *, certainly_held_something: bool) -> None:
        """The buffer was emptied; what nobody had applied is lost.

        A buffer found full of zeros may have been filled with zeros by an honest backward pass,
        and then nothing was lost.
        """
        if self.fresh:
            if certainly_held_something:
                self.lost = (*self.lost[-_KEPT:], *self.fresh)
                self.losses += 1
                if self.kept_gradient is not None:
                    kept = self.kept_gradient
                    self.lost_sum = kept if self.lost_sum is None else self.lost_sum + kept
            else:
                self.vanished = True
        self.kept_gradient = None
        self.fresh = ()
        self.nonzero = None
        self.emptied()

    def assigned(self) -> None:
        """Somebody wrote a gradient of their own: where it came from can no longer be told."""
        self.fresh = ()
        self.applied = ()
        self.applied_by = _NOBODY
        self.lost = ()
        self.losses = 0
        self.lost_sum = None
        self.leftover = None
        self.kept_gradient = None
        self.rewritten = True
        self.nonzero = None

    def emptied(self) -> None:
        """The buffer was emptied of what had been applied already, as it should be."""
        self.applied = ()
        self.applied_by = _NOBODY
        self.rewritten = False
        self.leftover = None
        self.own = self.wrong_products = None
        self.version = _NO_BUFFER

    def consumed(self, by: frozenset[int]) -> None:
        """A step applied the buffer's content."""
        if self.fresh:
            kept = (*self.applied, *self.fresh)[-_KEPT:] if self.applied else self.fresh
            self.applied = kept
            self.applied_by |= by
            self.fresh = ()
        elif self.applied:
            self.applied_by |= by
        if self.lost:
            self.lost = ()
            self.losses = 0
            self.lost_sum = None
        if self.wrong_products is not None:
            self.leftover = self.own = self.wrong_products = None
        self.vanished = False

    @property
    def is_stale(self) -> bool:
        """New gradients sit on top of gradients that were applied already."""
        return bool(self.fresh and self.applied)

    def repeats(self, optimizer: int) -> bool:
        """Nothing new: this optimizer applied all of it before."""
        return not self.fresh and optimizer in self.applied_by
