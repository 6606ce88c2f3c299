"""The account of one gradient buffer: which backward passes are in it, and what became of them."""

from __future__ import annotations

import itertools
import weakref

from torch import Tensor

from .backward_pass import BackwardPass
from .gradient_copies import GradientCopies, Snapshot

_KEPT = 64
"""Accounts forget all but this many entries, so that a long run costs no more memory."""

_NO_BUFFER = -1
_NO_OPTIMIZER: frozenset[int] = frozenset()

_marks = itertools.count(1)


class BufferAccount:
    """What one parameter's `.grad` holds, by where it came from rather than by its values.

    `fresh` passes wait to be applied, `applied` ones were applied and are still in the buffer,
    `lost` ones were cleared away before any step could apply them.
    """

    __slots__ = (
        "applied",
        "applied_by",
        "copies",
        "fed",
        "fresh",
        "lender",
        "lost",
        "mark",
        "optimizers",
        "parameter",
        "rewritten",
        "snapshot",
        "times_lost",
        "touched",
        "vanished",
        "version",
    )

    def __init__(self, parameter: Tensor) -> None:
        self.parameter = weakref.ref(parameter)
        self.optimizers = _NO_OPTIMIZER
        """The optimizers that hold this parameter, by number."""
        self.mark = next(_marks)
        self.fed = False
        """A backward pass has ever added to it."""
        self.version = _NO_BUFFER
        """The version of the gradient tensor when it was last looked at."""
        self.fresh: tuple[BackwardPass, ...] = ()
        self.applied: tuple[BackwardPass, ...] = ()
        self.applied_by = _NO_OPTIMIZER
        self.lost: tuple[BackwardPass, ...] = ()
        self.times_lost = 0
        self.rewritten = False
        """The content was assigned by the program, not added by a backward pass."""
        self.touched = False
        """The buffer was written to after the last backward pass: clipped, or replaced."""
        self.vanished = False
        """The buffer was found full of zeros, which may be what a backward pass left."""
        self.lender: BufferAccount | None = None
        """The account whose buffer this parameter uses too, after `p.grad = q.grad`."""
        self.snapshot: Snapshot | None = None
        self.copies = GradientCopies()

    @property
    def is_stale(self) -> bool:
        """New gradients sit on top of gradients that were applied already."""
        return bool(self.fresh and self.applied)

    def repeats(self, optimizer: int) -> bool:
        """Nothing new: this optimizer applied all of it before."""
        return not self.fresh and optimizer in self.applied_by

    def can_be_fed(self) -> bool:
        """Whether a backward pass could add to the buffer: the parameter is not frozen."""
        parameter = self.parameter()
        return parameter is not None and parameter.requires_grad

    def may_be_replaced(self) -> bool:
        """Whether the buffer was written to, and nothing says with what.

        Of a single number, a scaled or clipped value looks like any other.
        """
        parameter = self.parameter()
        return self.touched and parameter is not None and parameter.numel() == 1

    def parameter_moved(self) -> bool:
        """Whether the parameter holds other values than when its gradient arrived."""
        parameter = self.parameter()
        if parameter is None or self.snapshot is None:
            return False
        return self.snapshot.parameter_moved(parameter)

    def deposit(self, backward_pass: BackwardPass) -> None:
        """A backward pass added to the buffer."""
        if backward_pass not in self.fresh:
            self.fresh = (*self.fresh[-_KEPT:], backward_pass)
        self.vanished = False

    def cleared(self, *, certainly_held_something: bool) -> None:
        """The buffer was emptied; what no step had applied is lost.

        A buffer found full of zeros may have been filled with zeros by an honest backward pass,
        and then nothing was lost.
        """
        if self.fresh:
            if certainly_held_something:
                self.lost = (*self.lost[-_KEPT:], *self.fresh)
                self.times_lost += 1
                self.copies.lose_content()
            else:
                self.vanished = True
        self.copies.content = None
        self.fresh = ()
        self.emptied()

    def emptied(self) -> None:
        """The buffer was emptied of what had been applied already, as it should be."""
        self.applied = ()
        self.applied_by = _NO_OPTIMIZER
        self.rewritten = False
        self.lender = None
        self.version = _NO_BUFFER
        copies = self.copies
        if copies.leftover is not None or copies.wrong_products is not None:
            copies.drop_parts()

    def borrow(self, lender: BufferAccount) -> None:
        """The program made this parameter use the buffer of another one."""
        self._forget_losses()
        self.lender = lender
        self.fresh, self.applied = lender.fresh, lender.applied
        self.applied_by = lender.applied_by
        self.rewritten = not (self.fresh or self.applied)

    def assigned(self) -> None:
        """The program wrote a gradient of its own: where that came from is unknown."""
        self.fresh = ()
        self.applied = ()
        self.applied_by = _NO_OPTIMIZER
        self._forget_losses()
        self.copies.leftover = None
        self.copies.content = None
        self.lender = None
        self.rewritten = True

    def consumed(self, by: frozenset[int]) -> None:
        """A step of these optimizers applied the buffer's content."""
        if self.lender is not None:
            self.lender.consumed(by)
            self.lender = None
        if self.fresh:
            kept = (*self.applied, *self.fresh)[-_KEPT:] if self.applied else self.fresh
            self.applied = kept
            self.applied_by |= by
            self.fresh = ()
        elif self.applied:
            self.applied_by |= by
        if self.lost:
            self._forget_losses()
        if self.copies.wrong_products is not None:
            self.copies.drop_parts()
        self.vanished = False

    def _forget_losses(self) -> None:
        self.lost = ()
        self.times_lost = 0
        self.copies.lost_sum = None
