"""Credits a backward pass with the buffers it added to.

A buffer that a backward pass touched has another version, another identity or a first value
afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable

from torch import Tensor

from .account_book import AccountBook
from .backward_pass import BackwardPass
from .buffer_account import BufferAccount
from .gradient_copies import CopyBudget, Snapshot, is_measurable
from .scrutiny import Scrutiny
from .tensor_content import are_zero, version_of

_Fed = list[tuple[BufferAccount, Tensor, Tensor]]
"""Accounts with the gradient and the parameter whose contents are to be remembered."""


class Deposits:
    """Notes which buffers changed during a backward pass."""

    def __init__(self, book: AccountBook, scrutiny: Scrutiny, budget: CopyBudget) -> None:
        self._book = book
        self._scrutiny = scrutiny
        self._budget = budget

    def copy_foreign(self, accounts: Iterable[BufferAccount]) -> None:
        """Copy what a foreign loss left in these buffers, before their own loss adds to it."""
        for account in accounts:
            parameter = account.parameter()
            gradient = parameter.grad if parameter is not None else None
            if gradient is not None and account.fresh and self._budget.spend(gradient):
                account.copies.leftover = gradient.detach().clone()

    def absorb(self, accounts: Iterable[BufferAccount], backward_pass: BackwardPass) -> None:
        """Credit the backward pass with every buffer that changed since the reconciliation."""
        name = self._book.mark_name
        watching = self._scrutiny.watching
        only_this = (backward_pass,)
        fed: _Fed = []
        for account in accounts:
            parameter = account.parameter()
            if parameter is None:
                continue
            gradient = parameter.grad
            if gradient is None:
                _note_cleared_by_hook(account)
                continue
            version = version_of(gradient)
            mark = getattr(gradient, name, None)
            if mark is not None:
                if version == account.version and mark == account.mark:
                    continue
                if mark != account.mark and self._book.lender_of(account, gradient) is not None:
                    continue  # the buffer's own account is the one to credit
            if account.fresh:
                account.deposit(backward_pass)
            else:
                account.fresh = only_this
                account.vanished = False
            account.touched = False
            account.fed = True
            backward_pass.reached.add(account.optimizers)
            setattr(gradient, name, account.mark)
            account.version = version
            if watching or not account.optimizers or account.copies.leftover is not None:
                fed.append((account, gradient, parameter))
            else:
                account.snapshot = None
        if fed:
            self._remember(fed)

    def _remember(self, fed: _Fed) -> None:
        zeros = are_zero([gradient for _, gradient, _ in fed])
        for (account, gradient, parameter), is_zero in zip(fed, zeros, strict=True):
            account.snapshot = Snapshot.take(parameter, gradient, is_zero=is_zero)
            if not is_measurable(gradient):
                continue
            account.copies.measure(gradient)
            if self._scrutiny.watching and self._budget.spend(gradient):
                account.copies.content = gradient.detach().clone()


def _note_cleared_by_hook(account: BufferAccount) -> None:
    """The buffer was cleared while the pass was still running."""
    if account.fresh or account.applied or account.rewritten:
        account.cleared(certainly_held_something=True)
