"""The optimizers of a program and the ledgers of what they hold."""

from __future__ import annotations

import weakref
from typing import Any

from torch import Tensor
from torch.optim import Optimizer

from .books import Books
from .evidence import StepLine
from .ledger import Ledger
from .sites import Call


class Owner:
    """One optimizer, known by a number that is never reused."""

    def __init__(self, optimizer: Optimizer, key: int) -> None:
        self.key = key
        self.keys = frozenset({key})
        self.reference = weakref.ref(optimizer)
        self.label = f"{type(optimizer).__name__}.step()"
        self.lines: dict[Call, StepLine] = {}
        """Where it was stepped, by the calls that did."""
        self.is_stock = type(optimizer).__module__.startswith("torch.")
        self.steps = 0
        self.size = 0
        """How many numbers its parameters hold."""
        self._ledgers: list[Ledger] = []
        self._lists: list[tuple[list[Tensor], int]] = []

    def ledgers(self, optimizer: Optimizer, books: Books) -> list[Ledger]:
        """The ledgers of its parameters, looked up again whenever its groups changed."""
        groups: list[dict[str, Any]] = optimizer.param_groups
        if len(groups) == len(self._lists):
            for group, (known, size) in zip(groups, self._lists, strict=True):
                if group["params"] is not known or len(known) != size:
                    break
            else:
                return self._ledgers
        self._lists = [(group["params"], len(group["params"])) for group in groups]
        self._ledgers = [books.ledger_of(each) for group in groups for each in group["params"]]
        self.size = sum(each.numel() for group in groups for each in group["params"])
        books.owned_by(self._ledgers, self.keys)
        return self._ledgers

    def known_ledgers(self) -> list[Ledger]:
        return self._ledgers


class Owners:
    """All optimizers, in the order in which they were first seen."""

    def __init__(self) -> None:
        self._by_id: dict[int, Owner] = {}
        self._count = 0

    def of(self, optimizer: Optimizer) -> Owner:
        owner = self._by_id.get(id(optimizer))
        if owner is None or owner.reference() is not optimizer:
            self._count += 1
            owner = self._by_id[id(optimizer)] = Owner(optimizer, self._count)
            weakref.finalize(optimizer, self._forget, id(optimizer), owner).atexit = False
        return owner

    def by_key(self, key: int) -> Owner | None:
        return next((owner for owner in self._by_id.values() if owner.key == key), None)

    def __len__(self) -> int:
        return len(self._by_id)

    def _forget(self, identity: int, owner: Owner) -> None:
        if self._by_id.get(identity) is owner:
            del self._by_id[identity]
