"""Gradients that torch itself rescales: they stay what they were, and need not be read again."""

from __future__ import annotations

from collections.abc import Iterable

from torch import Tensor

from .account_book import AccountBook
from .buffer_account import BufferAccount
from .tensor_content import version_of


class Rescaling:
    """Tells what clipping and unscaling write to a buffer from what the program writes itself."""

    def __init__(self, book: AccountBook) -> None:
        self._book = book

    def begins(self, parameters: Iterable[Tensor]) -> list[BufferAccount]:
        """The accounts whose buffers are as a backward pass has left them."""
        accounts = map(self._book.account_of, parameters)
        return [account for account in accounts if self._is_intact(account)]

    def ends(self, accounts: Iterable[BufferAccount]) -> None:
        """What was written to these buffers meanwhile was a multiple of what they held."""
        for account in accounts:
            parameter = account.parameter()
            if parameter is not None and parameter.grad is not None:
                self._book.remember(account, parameter.grad)

    def _is_intact(self, account: BufferAccount) -> bool:
        parameter = account.parameter()
        gradient = parameter.grad if parameter is not None else None
        return (
            gradient is not None
            and bool(account.fresh)
            and version_of(gradient) == account.version
            and getattr(gradient, self._book.mark_name, None) == account.mark
        )
