"""Accumulation windows: several backwards, then one step under a guard that counts."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import product
from typing import NamedTuple

from ...events.event import Consume, Deposit, Event, Zero
from ...events.site import Guard
from ...ledger.account import Account
from ...ledger.analysis import Analysis
from ...ledger.automata.balance import Balance, Status
from ...ledger.places import EventPlace
from ...ledger.reach import Reach
from ...program import atoms


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


def guards_of(event: Event, account: Account) -> tuple[Guard, ...]:
    """The guards around an event within its innermost loop, those of callers included."""
    return account.places.guards_of(event)


def alternates(account: Account, consume: Consume) -> bool:
    """Where this step is skipped something else steps: `if i % k: a.step() else: b.step()`."""
    others = account.surroundings.other_consumes
    return any(
        mine.test == theirs.test and mine.taken != theirs.taken and not mine.keeps_answer
        for other in others
        if account.places.beside(other, consume)
        for mine in guards_of(consume, account)
        for theirs in guards_of(other, account)
    ) or any(_may_take_turns(account, other, consume) for other in others)


def _may_take_turns(account: Account, other: Consume, consume: Consume) -> bool:
    """An update by hand in a loop of its own, of which it is not known on which passes it runs."""
    here, there = account.places.of(other), account.places.of(consume)
    if here is None or there is None or not other.by_hand:
        return False
    within = here.loops[: len(there.loops)] == there.loops and here.loops != there.loops
    return within and here.conditional


def wiped_in_window(account: Account, deposit: Deposit, consume: Consume, zero: Zero) -> bool:
    """The step closes a window over several backwards, and each of them meets the zeroing."""
    here, there = account.places.of(deposit), account.places.of(consume)
    cleared = account.places.of(zero)
    if here is None or there is None or cleared is None:
        return False
    if cleared.loops != here.loops:
        return _wiped_outside(here, there, cleared)
    if len(here.loops) > len(there.loops):
        # Under a guard of its own it does not run for every micro-batch.
        always = all(g.decided or g in here.guards for g in cleared.guards)
        return always and here.loops[: len(there.loops)] == there.loops
    # A warm-up may step in its last round alone; only a window divides its losses.
    divided = bool(deposit.divisors)
    closes = [g for g in there.guards if g.periodic or (divided and g.closes_loop)]
    closing = [g.test for g in closes if g not in here.guards]
    if here.loops != there.loops or not closing:
        return False
    # A zeroing under a guard of its own has its reasons: a window that opens, a loss not finite.
    apart = [g for g in cleared.guards if g not in here.guards and not g.decided]
    if any(guard.test not in closing for guard in apart):
        return _opens_late(account, zero, deposit, consume)
    if not apart:
        return True
    # Under the same guard as the step, which has one more: `if i != 0:` for the first window.
    own = [g for g in there.guards if g not in here.guards and not g.decided]
    if len(own) > len(apart) and all(guard in own for guard in apart):
        return False
    in_order = account.places.in_order
    return in_order(zero, deposit) or in_order(consume, deposit)


def _wiped_outside(deposit: EventPlace, step: EventPlace, zero: EventPlace) -> bool:
    """The backward has a loop of its own; on every pass around it all is cleared, not all applied.

    A batch in several parts, as of a long sequence, inside an accumulation window. The guard must
    count the passes around: `if parts_used > 0:` asks whether there was a backward at all.
    """
    inner = len(deposit.loops) > len(step.loops) and deposit.loops[: len(step.loops)] == step.loops
    if not inner or zero.loops != step.loops:
        return False
    always = all(guard.decided or guard in step.guards for guard in zero.guards)
    return always and any(
        guard.cycle is not None and guard.cycle.start is not None
        for guard in step.guards
        if guard.periodic and guard not in zero.guards
    )


def out_of_phase(account: Account, zero: Zero, consume: Consume) -> bool:
    """Both stand under one guard that counts, over one counter, but for different passes."""
    return _lag(account, zero, consume) not in (None, 0)


def _opens_late(account: Account, zero: Zero, deposit: Deposit, consume: Consume) -> bool:
    """The zeroing counts to another pass than the one after the step, where it would be right."""
    lag = _lag(account, zero, consume)
    if lag in (None, 0):
        return False
    in_order = account.places.in_order
    return in_order(deposit, zero) or (lag != 1 and in_order(zero, deposit))


def _lag(account: Account, zero: Zero, consume: Consume) -> int | None:
    """How many passes after the step the zeroing comes."""
    zeroed, stepped = (
        [guard for guard in guards_of(event, account) if not guard.decided]
        for event in (zero, consume)
    )
    if len(zeroed) != 1 or len(stepped) != 1:
        return None
    mine, theirs = zeroed[0].cycle, stepped[0].cycle
    return mine.lag_behind(theirs) if mine is not None and theirs is not None else None


def _counts(guards: Iterable[Guard]) -> bool:
    return any(guard.periodic or guard.inverted for guard in guards)


class RareZeroing(NamedTuple):
    """A step of every batch, its backward, and a zeroing that only every n-th batch reaches."""

    consume: Consume
    deposit: Deposit
    zero: Zero
    settings: frozenset[str]
    """What n is called, where it is a setting: one above 1 makes it wrong."""


def windows(analysis: Analysis) -> Iterator[Window]:
    """Every pairing of a counted step with a backward that it may apply."""
    for account in analysis.accounts:
        for consume in account.arrivals:
            feeding = [d for d in account.deposits if account.places.beside(d, consume)]
            for guard in guards_of(consume, account):
                # A backward of its own under the guard makes it a delayed step, not a window.
                if guard.periodic and not any(guard in guards_of(d, account) for d in feeding):
                    for deposit in feeding:
                        yield Window(account, consume, deposit, guard)


def rare_zeroings(analysis: Analysis) -> Iterator[RareZeroing]:
    """The zeroings that run too rarely, where nothing else clears their owner."""
    for account in analysis.accounts:
        clearing = account.clearing
        zeros = [zero for zero, reach in clearing.zeros.items() if reach is not Reach.NONE]
        if clearing.at_any_time or clearing.uncalled:
            continue
        settled = analysis.configuration.answers if analysis.configuration is not None else {}
        for zero, consume in product(zeros, account.arrivals):
            feeding = [d for d in account.deposits if account.places.beside(d, consume)]
            chosen = _told_apart(zero, zeros, account)
            if chosen is None or not feeding or not account.places.beside(zero, consume):
                continue  # one before and one after the step make up for each other
            skipping = _skipping(zero, consume, feeding, {*settled, *chosen}, account)
            if skipping and any(
                _goes_round_stale(b, consume, account) for b in account.arrivals[consume]
            ):
                long = [guard.skips_if_long for guard in skipping if not guard.skips]
                yield RareZeroing(consume, feeding[0], zero, frozenset().union(*long))


def _goes_round_stale(balance: Balance, consume: Consume, account: Account) -> bool:
    """What a step has applied comes back to it, with nothing out of view that could clear it."""
    in_view = not (balance.across_calls and account.clearing.elsewhere)
    return balance.status is Status.STALE and balance.since is consume and in_view


def _told_apart(zero: Zero, zeros: list[Zero], account: Account) -> frozenset[str | None] | None:
    """The tests that keep all other zeroings out where windows are longer than one batch.

    None if another one may run where this one does: before and after a step they make up for
    each other.
    """
    own = guards_of(zero, account)
    lengths = [length for guard in own for length in guard.skips_if_long]
    keys: set[str | None] = set()
    for other in zeros:
        if other is zero:
            continue
        opposite = [
            guard
            for guard, theirs in product(own, guards_of(other, account))
            if guard.test == theirs.test and guard.taken is not theirs.taken
        ]
        found = [guard for guard in opposite if any(map(guard.asks_for_more, lengths))]
        if not found:
            return None
        keys.update(atom.key for guard in found for atom in atoms(guard.test))
    return frozenset(keys)


def _skipping(
    zero: Zero,
    consume: Consume,
    feeding: list[Deposit],
    settled: Collection[str | None],
    account: Account,
) -> list[Guard]:
    """The guards by which a zeroing skips passes that neither the step nor its backward skips."""
    shared = _undecided(consume, account)
    own = [
        guard
        for guard in _undecided(zero, account)
        if guard not in shared and not all(atom.key in settled for atom in atoms(guard.test))
    ]
    skips = (
        all(guard.skips or guard.skips_if_long for guard in own)
        and not any(guard.periodic or guard.inverted for guard in shared)
        and all(_undecided(deposit, account) == shared for deposit in feeding)
    )
    return own if skips else []


def _undecided(event: Event, account: Account) -> list[Guard]:
    return [guard for guard in guards_of(event, account) if not guard.decided]
