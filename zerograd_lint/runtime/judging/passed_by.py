"""Parameters that training passes by: without an optimizer, or without a gradient.

Either may be meant, so it is information and no bug.
"""

from __future__ import annotations

from collections.abc import Iterable

from torch import Tensor, nn

from ..books.account_book import AccountBook
from ..books.buffer_account import BufferAccount
from ..books.optimizers import OptimizerRecord, OptimizerRecords
from .parameter_names import names_of

_MOST_NAMES = 4


def passed_by_notes(book: AccountBook, optimizers: OptimizerRecords) -> list[str]:
    """One sentence for each group of such parameters."""
    notes = []
    unowned = _parameters(account for account in book.accounts() if _is_passed_by(account))
    if unowned:
        notes.append(f"in no optimizer, though gradients arrive: {_listed(unowned)}")
    for record in optimizers:
        never_fed = _never_fed(record)
        if never_fed:
            notes.append(f"held by {record.name}, though no gradient arrives: {_listed(never_fed)}")
    return notes


def _is_passed_by(account: BufferAccount) -> bool:
    """A pass that trains others fed this one, and nothing ever applied what it left."""
    return (
        account.fed
        and not account.optimizers
        and not account.applied
        and any(optimizers for each in account.fresh for optimizers in each.reached)
    )


def _never_fed(record: OptimizerRecord) -> list[Tensor]:
    accounts = record.known_accounts()
    if not record.steps or not any(account.fed for account in accounts):
        return []
    return _parameters(each for each in accounts if each.can_be_fed() and not each.fed)


def _parameters(accounts: Iterable[BufferAccount]) -> list[Tensor]:
    parameters = (account.parameter() for account in accounts)
    return [each for each in parameters if isinstance(each, nn.Parameter)]


def _listed(parameters: list[Tensor]) -> str:
    names = names_of(parameters)[:_MOST_NAMES]
    rest = len(parameters) - len(names)
    if not names:
        return f"{rest} parameter{'s' if rest > 1 else ''}"
    return ", ".join(names) + (f" and {rest} more" if rest else "")
