"""Accumulation windows: several backwards, then one step under a guard that counts."""

from __future__ import annotations

from collections.abc import Iterator

from ...events.event import Event, Guard
from ...ledger.account import Account
from ...ledger.analysis import Analysis
from ...ledger.automata.balance import Status
from ...ledger.reach import Reach


def windows(analysis: Analysis) -> Iterator[tuple[Account, Event, Event, Guard]]:
    """Each account's step under a counting guard, with a backward outside it."""
    for account in analysis.accounts:
        for consume in account.arrivals:
            for guard in consume.site.guards:
                if not guard.periodic:
                    continue
                for deposit in account.deposits:
                    if deposit.beside(consume) and guard not in deposit.site.guards:
                        yield account, consume, deposit, guard


def thinly_cleared(analysis: Analysis) -> Iterator[tuple[Account, Event, Event, Event]]:
    """Steps of every batch, their backward, and a zeroing that only every n-th batch reaches."""
    for account in analysis.accounts:
        zeros = [zero for zero, reach in account.clearing.zeros.items() if reach is not Reach.NONE]
        if account.clearing.at_any_time or account.clearing.elsewhere or account.clearing.uncalled:
            continue
        if len(zeros) != 1:
            continue  # one before and one after the step make up for each other
        for consume, balances in account.arrivals.items():
            feeding = [d for d in account.deposits if d.beside(consume)]
            if (
                feeding
                and _is_thin(zeros[0], consume, feeding)
                and any(b.status is Status.STALE and b.since is consume for b in balances)
            ):
                yield account, consume, feeding[0], zeros[0]


def _is_thin(zero: Event, consume: Event, feeding: list[Event]) -> bool:
    """It skips passes that neither the step nor its backward skips."""
    shared = _undecided(consume)
    own = [guard for guard in _undecided(zero) if guard not in shared]
    return (
        zero.beside(consume)
        and bool(own)
        and all(guard.skips for guard in own)
        and not any(guard.periodic or guard.inverted for guard in shared)
        and all(_undecided(deposit) == shared for deposit in feeding)
    )


def _undecided(event: Event) -> list[Guard]:
    return [guard for guard in event.site.guards if not guard.decided]
