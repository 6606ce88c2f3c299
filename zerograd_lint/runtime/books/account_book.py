"""The accounts of all parameters seen so far."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Iterable

from torch import Tensor

from .buffer_account import BufferAccount
from .tensor_content import dense, version_of

_book_numbers = itertools.count(1)


class AccountBook:
    """Finds the account of a parameter, and recognises the gradient tensor it saw last."""

    def __init__(self) -> None:
        # A mark on the tensor lives as long as the tensor itself, unlike `id`, which is reused.
        self.mark_name = f"_zerograd_lint_{next(_book_numbers)}"
        """The attribute of a gradient tensor that holds the mark of its account."""
        self._by_id: dict[int, BufferAccount] = {}
        self._by_mark: dict[int, BufferAccount] = {}
        self._all: list[BufferAccount] | None = None
        self._without_optimizer: list[BufferAccount] = []

    def account_of(self, parameter: Tensor) -> BufferAccount:
        """The account of this parameter, opened if there is none yet."""
        key = id(parameter)
        account = self._by_id.get(key)
        if account is None or account.parameter() is not parameter:
            account = self._by_id[key] = BufferAccount(parameter)
            self._by_mark[account.mark] = account
            # The last report is written at exit, when these must still be known.
            weakref.finalize(parameter, self._forget, key, account).atexit = False
            self._all = None
        return account

    def accounts(self) -> list[BufferAccount]:
        """The accounts of all parameters that are still there."""
        if self._all is None:
            self._all = list(self._by_id.values())
            self._without_optimizer = [each for each in self._all if not each.optimizers]
        return self._all

    def without_optimizer(self) -> list[BufferAccount]:
        """The accounts of parameters that no optimizer holds."""
        if self._all is None:
            self.accounts()
        return self._without_optimizer

    def add_optimizers(self, accounts: Iterable[BufferAccount], keys: frozenset[int]) -> None:
        """These optimizers hold the parameters of these accounts."""
        for account in accounts:
            account.optimizers |= keys
        self._all = None

    def remember(self, account: BufferAccount, gradient: Tensor) -> None:
        """The account has seen this gradient tensor in its present version."""
        setattr(gradient, self.mark_name, account.mark)
        version = version_of(gradient)
        account.touched |= version != account.version
        account.version = version

    def lender_of(self, account: BufferAccount, gradient: Tensor) -> BufferAccount | None:
        """The other account whose buffer this gradient is, after `p.grad = q.grad`."""
        mark = getattr(gradient, self.mark_name, None)
        if mark is None or mark == account.mark:
            return None
        lender = self._by_mark.get(mark)
        parameter = lender.parameter() if lender is not None else None
        return lender if parameter is not None and parameter.grad is gradient else None

    def _forget(self, key: int, account: BufferAccount) -> None:
        self._by_mark.pop(account.mark, None)
        if self._by_id.get(key) is account:
            del self._by_id[key]
            self._all = None


def gradients(accounts: Iterable[BufferAccount]) -> list[Tensor]:
    """The dense gradients present right now."""
    present = []
    for account in accounts:
        parameter = account.parameter()
        gradient = parameter.grad if parameter is not None else None
        if gradient is not None:
            present.append(dense(gradient))
    return present
