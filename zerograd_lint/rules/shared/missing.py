"""Why a step applies stale gradients, and where its zeroing belongs: shared by ZG001, ZG004, ZG006.

Three rules share one fact, a step that surely applies what was applied before. They differ in
what the code tried to do about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from ...events.event import Event, Kind, Site
from ...fixing.plan import Change, InsertAfter, InsertBefore
from ...ledger.account import Account
from ...ledger.analysis import Analysis
from ...ledger.automata.balance import Balance, Status
from ...ledger.reach import Reach
from ..rule import Line


@dataclass(frozen=True, slots=True)
class Stale:
    """A step that applies stale gradients, and the zeroing that missed it, if there is one."""

    account: Account
    consume: Event
    since: Event
    """The step that has applied them before: this one itself, in most loops."""
    deposit: Event | None
    outside: Event | None
    """A zeroing of the right owner, but around the loop of the step."""
    astray: Event | None
    """A zeroing between two steps, but of another optimizer."""


def stale_steps(analysis: Analysis, line: Line) -> Iterator[Stale]:
    for account in analysis.accounts:
        if account.clearing.uncalled:
            continue
        for consume, balances in account.stale().items():
            deposits = {deposit for balance in balances for deposit in balance.fresh}
            yield Stale(
                account,
                consume,
                _since(consume, balances, line),
                feeding(account, consume, deposits, line),
                _outside(account, consume, line),
                _astray(account, consume, line),
            )


def _since(consume: Event, balances: list[Balance], line: Line) -> Event:
    steps = {b.since for b in balances if b.since is not None and b.status is Status.STALE}
    beside = [step for step in steps if step.beside(consume)]
    return consume if consume in steps else max(beside, key=line, default=consume)


def feeding(
    account: Account, consume: Event, deposits: Collection[Event], line: Line
) -> Event | None:
    """The first backward meant for this step: after the step before it, if there is one."""
    here = [d for d in deposits if d.site.function is consume.site.function]
    if not here:
        return min(deposits, key=line, default=None)
    at = line(consume)
    before = [d for d in here if line(d) < at] or here
    steps = [
        line(other)
        for other in (*account.arrivals, *account.surroundings.other_consumes)
        if other.site.function is consume.site.function and line(other) < at
    ]
    own = [d for d in before if line(d) > max(steps, default=0)]
    return min(own or before, key=line)


def _outside(account: Account, consume: Event, line: Line) -> Event | None:
    found = [
        event
        for event, reach in account.clearing.zeros.items()
        if reach is Reach.ALL and event.kind is Kind.ZERO and _surrounds(event, account, consume)
    ]
    return min(found, key=lambda event: abs(line(event) - line(consume)), default=None)


def _surrounds(zero: Event, account: Account, consume: Event) -> bool:
    """It stands around the loop of the step, and is not the business of another loop."""
    here, there = zero.site, consume.site
    if here.function is there.function:
        depth = len(here.loops)
        return here.loops == there.loops[:depth] and (depth < len(there.loops) or not depth)
    return not any(other.beside(zero) for other in account.arrivals)


def _astray(account: Account, consume: Event, line: Line) -> Event | None:
    """A zeroing in the step's own loop that another optimizer does not need."""
    missed = [
        zero
        for zero, reach in account.clearing.zeros.items()
        if reach is Reach.NONE and not zero.by_hand and not _in_another_loop(zero, consume)
    ]
    zeroed = Counter(zero.subject for zero in missed)
    needed = Counter(
        o.subject for o in account.surroundings.other_consumes if not _in_another_loop(o, consume)
    )
    most = max(needed.values(), default=0)
    spare = [
        zero
        for zero in missed
        if zero.beside(consume) and zeroed[zero.subject] > needed.get(zero.subject, most)
    ]
    before = [zero for zero in spare if line(zero) < line(consume)]
    return max(before or spare, key=line, default=None)


def _in_another_loop(one: Event, other: Event) -> bool:
    """Two loops of a function, one after the other: neither is inside the other."""
    parting = [a != b for a, b in zip(one.site.loops, other.site.loops, strict=False)]
    return one.site.function is other.site.function and any(parting)


def zeroing_call(consume: Event) -> str:
    if consume.by_hand:
        return f"{consume.spelling}.grad = None"
    return f"{consume.spelling}.zero_grad()"


def insertion(stale: Stale, analysis: Analysis, line: Line) -> Change:
    """Where the missing zeroing belongs."""
    consume, deposit = stale.consume, stale.deposit
    code = zeroing_call(consume)
    if consume.by_hand or deposit is None:
        return InsertAfter(consume.site, code)
    place = _over_branches(deposit, stale.account.deposits) or deposit.wrapper or deposit.site
    if deposit.site.function is consume.site.function:
        if _together(deposit, consume):
            return InsertBefore(place, code)
    elif consume.closure_start is not None:
        return InsertBefore(consume.closure_start, code)
    elif not _piles_up(stale):
        owner = stale.account.owner.ref
        if consume.reachable_in(deposit.site.function):
            return InsertBefore(place, code)
        if owner.scope == deposit.site.function.scope:
            # The caller holds the optimizer under a name of its own.
            return InsertBefore(place, f"{owner}.zero_grad()")
    return InsertAfter(behind_step(stale.since, stale.account, analysis, line), code)


def behind_step(consume: Event, account: Account, analysis: Analysis, line: Line) -> Site:
    """Where a zeroing that follows this step belongs, whichever branch has made the step."""
    over = _over_branches(consume, account.arrivals)
    return over or after_step(consume, analysis, line).site


def _over_branches(event: Event, events: Iterable[Event]) -> Site | None:
    """The `if` whose branches hold this event and its counterpart: `if amp: … else: …`."""
    for other in events if event.site.branches else ():
        if other.site.loops != event.site.loops:
            continue
        for branch, mine, theirs in zip(
            event.site.branches, event.site.guards, other.site.guards, strict=False
        ):
            opposite = mine.test == theirs.test and mine.taken != theirs.taken
            if branch in other.site.branches and opposite:
                return branch
    return None


def _together(deposit: Event, consume: Event) -> bool:
    """Every backward has its step: same loop, and no guard that only the step stands under."""
    here, there = deposit.site, consume.site
    if here.loops != there.loops:
        return False
    return all(guard in here.guards for guard in there.guards if not guard.decided)


def _piles_up(stale: Stale) -> bool:
    return any(b.piled_up for balances in stale.account.arrivals.values() for b in balances)


def after_step(consume: Event, analysis: Analysis, line: Line) -> Event:
    """The step itself, or the scaler's update that follows it in the same block."""
    updates = [
        event
        for event in analysis.events
        if event.kind is Kind.UPDATE
        and event.site.block == consume.site.block
        and line(event) > line(consume)
    ]
    return min(updates, key=line, default=consume)
