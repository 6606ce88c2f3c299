"""The optimizers of a program, each with the accounts of the parameters it holds."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from typing import Any

from torch import Tensor
from torch.optim import Optimizer

from .account_book import AccountBook
from .buffer_account import BufferAccount


class OptimizerRecord:
    """One optimizer, identified by a number that is never reused."""

    def __init__(self, optimizer: Optimizer, key: int) -> None:
        self.key = key
        self.keys = frozenset({key})
        self.reference = weakref.ref(optimizer)
        self.name = type(optimizer).__name__
        self.label = f"{self.name}.step()"
        self.is_stock = type(optimizer).__module__.startswith("torch.")
        """One of torch's own, not a class of the user's."""
        self.steps = 0
        self.size = 0
        """How many numbers its parameters hold."""
        self._accounts: list[BufferAccount] = []
        self._lists: list[tuple[list[Tensor], int]] = []

    def accounts(self, optimizer: Optimizer, book: AccountBook) -> list[BufferAccount]:
        """The accounts of its parameters, looked up again whenever its groups changed."""
        groups: list[dict[str, Any]] = optimizer.param_groups
        if len(groups) == len(self._lists):
            for group, (known, size) in zip(groups, self._lists, strict=True):
                if group["params"] is not known or len(known) != size:
                    break
            else:
                return self._accounts
        self._lists = [(group["params"], len(group["params"])) for group in groups]
        self._accounts = [book.account_of(each) for group in groups for each in group["params"]]
        self.size = sum(each.numel() for group in groups for each in group["params"])
        book.add_optimizers(self._accounts, self.keys)
        return self._accounts

    def known_accounts(self) -> list[BufferAccount]:
        """The accounts as of the last look-up."""
        return self._accounts


class OptimizerRecords:
    """All optimizers, in the order in which they were first seen."""

    def __init__(self) -> None:
        self._by_id: dict[int, OptimizerRecord] = {}
        self._count = 0

    def of(self, optimizer: Optimizer) -> OptimizerRecord:
        """The record of this optimizer, opened if there is none yet."""
        record = self._by_id.get(id(optimizer))
        if record is None or record.reference() is not optimizer:
            self._count += 1
            record = self._by_id[id(optimizer)] = OptimizerRecord(optimizer, self._count)
            weakref.finalize(optimizer, self._forget, id(optimizer), record).atexit = False
        return record

    def by_key(self, key: int) -> OptimizerRecord | None:
        """The record with this number; None if its optimizer is gone."""
        return next((record for record in self._by_id.values() if record.key == key), None)

    def __len__(self) -> int:
        return len(self._by_id)

    def __iter__(self) -> Iterator[OptimizerRecord]:
        return iter(list(self._by_id.values()))

    def _forget(self, identity: int, record: OptimizerRecord) -> None:
        if self._by_id.get(identity) is record:
            del self._by_id[identity]
