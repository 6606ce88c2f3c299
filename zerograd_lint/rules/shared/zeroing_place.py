"""Where a missing zeroing belongs: before the backward, or after the step."""

from __future__ import annotations

from collections.abc import Iterable

from ...events.event import Consume, Deposit, Event, Update
from ...events.site import Site
from ...fixing.plan import Change, InsertAfter, InsertBefore
from ...ledger.account import Account
from ...ledger.analysis import Analysis
from ..rule import Line
from .stale_steps import StaleStep


def zeroing_call(consume: Consume) -> str:
    """The code that clears what this step applies."""
    if consume.by_hand:
        return f"{consume.spelling}.grad = None"
    return f"{consume.spelling}.zero_grad()"


def insertion(stale: StaleStep, analysis: Analysis, line: Line) -> Change:
    """Where the missing zeroing belongs."""
    consume, deposit = stale.consume, stale.deposit
    code = zeroing_call(consume)
    if consume.by_hand or deposit is None:
        return InsertAfter(consume.site, code)
    # Where the other branch of a test is right, the zeroing belongs into this one.
    applied = {d for balances in stale.account.stale().values() for b in balances for d in b.fresh}
    wrong = [other for other in stale.account.deposits if other in applied]
    place = _over_branches(deposit, wrong) or deposit.wrapper or deposit.site
    if deposit.site.function is consume.site.function:
        if _has_own_step(deposit, consume):
            return InsertBefore(place, code)
    elif consume.closure_start is not None:
        return InsertBefore(consume.closure_start, code)
    elif not _accumulates(stale):
        owner = stale.account.owner.ref
        if consume.reachable_in(deposit.site.function):
            return InsertBefore(place, code)
        if owner.scope == deposit.site.function.scope:
            # The caller holds the optimizer under a name of its own.
            return InsertBefore(place, f"{owner}.zero_grad()")
    return InsertAfter(place_after_step(stale.since, stale.account, analysis, line), code)


def place_after_step(consume: Consume, account: Account, analysis: Analysis, line: Line) -> Site:
    """Where a zeroing after this step belongs, whichever branch the step stands in."""
    over = _over_branches(consume, account.arrivals)
    return over or _step_or_update(consume, analysis, line).site


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


def _has_own_step(deposit: Deposit, consume: Consume) -> bool:
    """Every backward has its step: same loop, and no guard that only the step stands under."""
    here, there = deposit.site, consume.site
    if here.loops != there.loops:
        return False
    return all(guard in here.guards for guard in there.guards if not guard.decided)


def _accumulates(stale: StaleStep) -> bool:
    """Some step applies several runs of one backward."""
    return any(b.piled_up for balances in stale.account.arrivals.values() for b in balances)


def _step_or_update(consume: Consume, analysis: Analysis, line: Line) -> Event:
    """The step itself, or the scaler's update that follows it in the same block."""
    updates = [
        event
        for event in analysis.events
        if isinstance(event, Update)
        and event.site.block == consume.site.block
        and line(event) > line(consume)
    ]
    return min(updates, key=line, default=consume)
