"""Brings the accounts up to date with what happened between two backward passes.

Nothing is hooked per parameter. A buffer that changed while no backward pass ran was cleared,
rescaled or rewritten. Looking costs well under a microsecond per parameter.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from torch import Tensor

from .account_book import AccountBook
from .buffer_account import BufferAccount
from .gradient_copies import CopyBudget
from .scrutiny import Scrutiny
from .tensor_content import are_zero, sample, version_of

_FIRST_LOOKS = 32
_LOOK_EVERY = 16
_FIRST_MEASURED = 16
_MEASURE_EVERY = 8


class _Buffer(NamedTuple):
    """A buffer whose content has to be read to say what happened to it."""

    account: BufferAccount
    gradient: Tensor
    is_new: bool
    """The program put another tensor there, or wrote to an empty buffer."""


class Reconciler:
    """Notes which buffers were cleared or rewritten while no backward pass ran."""

    def __init__(self, book: AccountBook, scrutiny: Scrutiny, budget: CopyBudget) -> None:
        self._book = book
        self._scrutiny = scrutiny
        self._budget = budget
        self._looks = 0
        self._backwards = 0
        self._measurements = 0

    def before_step(self, accounts: Iterable[BufferAccount]) -> None:
        """Only a clearing of everything matters here: one buffer found full stands for all."""
        if self._scrutiny.watching:
            self._read(self._unsettled(accounts))
        elif not self._all_intact(accounts):
            self._read(self._without_obviously_full(self._unsettled(accounts)))

    def before_backward(self, accounts: Iterable[BufferAccount]) -> None:
        """Each buffer is read, because a backward pass is about to change it."""
        self._backwards += 1
        buffers = self._unsettled(accounts, closely=self._looks_closely())
        if not buffers:
            return
        self._read(buffers)
        if self._scrutiny.enforcing:
            self._clear_applied(buffers)
        elif self._scrutiny.measuring:
            self._measurements += 1
            if _is_due(self._measurements, _FIRST_MEASURED, _MEASURE_EVERY):
                self._copy_leftovers(buffers)

    def _looks_closely(self) -> bool:
        """Whether to read what micro-batches left, too, and not to trust its version."""
        if self._scrutiny.watching or self._scrutiny.secretive:
            return True
        return _is_due(self._backwards, _FIRST_LOOKS, _LOOK_EVERY)

    def _all_intact(self, accounts: Iterable[BufferAccount]) -> bool:
        """The usual case: what backward left is there, and has not been written to.

        Writing through `.data` would not show, but a program that does so does it at every step:
        the first steps and every so many after them are looked at more closely.
        """
        self._looks += 1
        if _is_due(self._looks, _FIRST_LOOKS, _LOOK_EVERY):
            return False
        name = self._book.mark_name
        for account in accounts:
            parameter = account.parameter()
            if parameter is None:
                continue
            gradient = parameter.grad
            if gradient is None:
                if account.fresh or account.applied or account.rewritten:
                    return False
            elif (
                version_of(gradient) != account.version
                or not account.fresh
                or getattr(gradient, name, None) != account.mark
            ):
                return False
        return True

    def _unsettled(
        self, accounts: Iterable[BufferAccount], *, closely: bool = True
    ) -> list[_Buffer]:
        """The buffers to read; those that are missing are dealt with at once."""
        name = self._book.mark_name
        buffers: list[_Buffer] = []
        for account in accounts:
            parameter = account.parameter()
            if parameter is None:
                continue
            gradient = parameter.grad
            if gradient is None:
                if account.fresh:
                    self._clear(account, held_something=True)
                elif account.applied or account.rewritten:
                    account.emptied()
            elif getattr(gradient, name, None) != account.mark:
                lender = self._book.lender_of(account, gradient)
                if lender is not None:
                    account.borrow(lender)
                else:
                    buffers.append(_Buffer(account, gradient, True))
            else:
                known = bool(account.fresh or account.applied or account.rewritten)
                to_read = known and (closely or bool(account.applied))
                if to_read or version_of(gradient) != account.version:
                    buffers.append(_Buffer(account, gradient, not known))
        return buffers

    def _without_obviously_full(self, buffers: list[_Buffer]) -> list[_Buffer]:
        new = [buffer for buffer in buffers if buffer.is_new]
        if len(new) == len(buffers):
            return buffers
        probe = next(buffer.gradient for buffer in buffers if not buffer.is_new)
        if not bool(sample(probe).any()) and are_zero([probe])[0]:
            return buffers
        for buffer in buffers:
            if not buffer.is_new:
                self._book.remember(buffer.account, buffer.gradient)
        return new

    def _read(self, buffers: list[_Buffer]) -> None:
        """Find by their content which buffers were cleared and which were rewritten."""
        if not buffers:
            return
        zeros = are_zero([buffer.gradient for buffer in buffers])
        # A program that replaces one gradient replaces all, though some may look merely scaled.
        rewritten = any(_was_replaced(account, gradient) for account, gradient, _ in buffers)
        for (account, gradient, is_new), is_zero in zip(buffers, zeros, strict=True):
            if is_zero:
                self._scrutiny.secretive |= version_of(gradient) == account.version
                # Content that was zero when it arrived has not been cleared away.
                held = account.snapshot is not None and not account.snapshot.gradient_was_zero
                self._clear(account, held_something=is_new or held)
            elif is_new or (rewritten and version_of(gradient) != account.version):
                account.assigned()
            self._book.remember(account, gradient)

    def _clear(self, account: BufferAccount, *, held_something: bool) -> None:
        if account.fresh and account.parameter_moved():
            account.fresh = ()  # used by hand before it was cleared, as SAM's first step does
        account.cleared(certainly_held_something=held_something)
        self._scrutiny.in_doubt |= account.vanished

    def _clear_applied(self, buffers: list[_Buffer]) -> None:
        for account, gradient, _ in buffers:
            if account.applied and not account.fresh:
                gradient.detach().zero_()
                account.cleared(certainly_held_something=True)
                self._book.remember(account, gradient)

    def _copy_leftovers(self, buffers: list[_Buffer]) -> None:
        for account, gradient, _ in buffers:
            copies = account.copies
            if account.applied and copies.leftover is None and self._budget.spend(gradient):
                copies.leftover = gradient.detach().clone()


def _is_due(times: int, first: int, every: int) -> bool:
    """The first so many times, and every so many after them."""
    return times <= first or times % every == 0


def _was_replaced(account: BufferAccount, gradient: Tensor) -> bool:
    if account.snapshot is None or version_of(gradient) == account.version:
        return False
    return account.snapshot.gradient_replaced(gradient)
