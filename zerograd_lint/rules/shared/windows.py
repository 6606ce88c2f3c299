"""Accumulation windows: several backwards, then one step under a guard that counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...events.event import Consume, Deposit, Event, Zero
from ...events.site import Guard
from ...ledger.account import Account
from ...ledger.analysis import Analysis
from ...ledger.automata.balance import Status
from ...ledger.reach import Reach


class Window(NamedTuple):
    """A step under a counting guard, and a backward of its loop that runs without the guard."""

    account: Account
    consume: Consume
    deposit: Deposit
    guard: Guard


def closes_window_of(consume: Consume, event: Event, account: Account) -> bool:
    """The step runs once per window, this event of the same window on every micro-batch."""
    here, there = account.places.of(event), account.places.of(consume)
    if here is None or there is None:
        return False
    if here.loops != there.loops:
        # A loop over micro-batches, with the step behind it.
        return there.loops == here.loops[: len(there.loops)] and not _counts(here.guards)
    apart = [guard for guard in there.guards if guard not in here.guards]
    return _counts(apart) and not _counts(g for g in here.guards if g not in there.guards)


def _counts(guards: Iterable[Guard]) -> bool:
    return any(guard.periodic or guard.inverted for guard in guards)


class RareZeroing(NamedTuple):
    """A step of every batch, its backward, and a zeroing that only every n-th batch reaches."""

    consume: Consume
    deposit: Deposit
    zero: Zero


def windows(analysis: Analysis) -> Iterator[Window]:
    """Every pairing of a counted step with a backward that it may apply."""
    for account in analysis.accounts:
        for consume in account.arrivals:
            for guard in consume.site.guards:
                if not guard.periodic:
                    continue
                for deposit in account.deposits:
                    if deposit.beside(consume) and guard not in deposit.site.guards:
                        yield Window(account, consume, deposit, guard)


def rare_zeroings(analysis: Analysis) -> Iterator[RareZeroing]:
    """The zeroings that run too rarely, where nothing else clears their owner."""
    for account in analysis.accounts:
        clearing = account.clearing
        zeros = [zero for zero, reach in clearing.zeros.items() if reach is not Reach.NONE]
        if clearing.at_any_time or clearing.elsewhere or clearing.uncalled:
            continue
        if len(zeros) != 1:
            continue  # one before and one after the step make up for each other
        for consume, balances in account.arrivals.items():
            feeding = [d for d in account.deposits if d.beside(consume)]
            if (
                feeding
                and _skips_more(zeros[0], consume, feeding)
                and any(b.status is Status.STALE and b.since is consume for b in balances)
            ):
                yield RareZeroing(consume, feeding[0], zeros[0])


def _skips_more(zero: Zero, consume: Consume, feeding: list[Deposit]) -> bool:
    """The zeroing skips passes that neither the step nor its backward skips."""
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
