"""Accumulation windows: several backwards, then one step under a guard that counts."""

from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Event, Guard
from ..ledger.account import Account
from ..ledger.analysis import Analysis


def windows(analysis: Analysis) -> Iterator[tuple[Account, Event, Event, Guard]]:
    """Each account's step under a counting guard, with a backward outside it."""
    for account in analysis.accounts:
        for consume in account.arrivals:
            for guard in consume.site.guards:
                if not guard.periodic:
                    continue
                for deposit in account.deposits:
                    here, there = deposit.site, consume.site
                    if here.function is there.function and here.loops == there.loops:
                        if guard not in here.guards:
                            yield account, consume, deposit, guard
