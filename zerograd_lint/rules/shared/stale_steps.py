"""Steps that surely apply what was applied before, and the zeroing that misses them.

ZG001, ZG004 and ZG006 report one such step each; they differ in what the code tried to do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ...events.event import Consume, Deposit, Event, Zero
from ...ledger.account import Account
from ...ledger.analysis import Analysis
from ...ledger.automata.balance import Balance, Status
from ...ledger.reach import Reach
from ...vocabulary.things import Thing
from ..rule import Line


@dataclass(frozen=True, slots=True)
class StaleStep:
    """A step that applies stale gradients, and the zeroing that misses it, if there is one."""

    account: Account
    consume: Consume
    since: Consume
    """The step that has applied them before: this one itself, in most loops."""
    deposit: Deposit | None
    """The backward that filled them, if it is known."""
    zero_outside_loop: Zero | None
    """A zeroing of the right owner, but around the loop of the step."""
    zero_of_other: Zero | None
    """A zeroing between two steps, but of another optimizer, which does not need it."""
    zero_elsewhere: Zero | None
    """Some zeroing of the right owner that does not come between the two steps."""
    across_calls: bool
    """The two steps belong to two calls of a function: no loop is in view."""
    applied_by: Consume | None
    """The step of another optimizer that has applied them, if it is always that."""


def stale_steps(analysis: Analysis, line: Line) -> Iterator[StaleStep]:
    """The stale steps of a file, apart from those whose zeroing is named but not called."""
    for account in (*analysis.accounts, *analysis.parts):
        if account.clearing.uncalled:
            continue
        for consume, balances in account.stale.items():
            if consume in analysis.chosen or account.places.is_tried_out(consume):
                continue
            deposits = {deposit for balance in balances for deposit in balance.fresh}
            yield StaleStep(
                account=account,
                consume=consume,
                since=_since(consume, balances, line),
                deposit=feeding(account, consume, deposits, line),
                zero_outside_loop=_zero_outside_loop(account, consume, line),
                zero_of_other=_zero_of_other(account, consume, line),
                zero_elsewhere=_zero_elsewhere(account, line),
                across_calls=all(balance.across_calls for balance in balances),
                applied_by=_applied_by(balances),
            )


def _applied_by(balances: list[Balance]) -> Consume | None:
    steps = {balance.applied_by for balance in balances}
    return steps.pop() if len(steps) == 1 else None


def _since(consume: Consume, balances: list[Balance], line: Line) -> Consume:
    steps = {b.since for b in balances if b.since is not None and b.status is Status.STALE}
    beside = [step for step in steps if step.beside(consume)]
    return consume if consume in steps else max(beside, key=line, default=consume)


def feeding(
    account: Account, consume: Consume, deposits: Collection[Deposit], line: Line
) -> Deposit | None:
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


def _zero_outside_loop(account: Account, consume: Consume, line: Line) -> Zero | None:
    found = [
        event
        for event, reach in account.clearing.zeros.items()
        if reach is Reach.ALL and _surrounds(event, account, consume)
    ]
    return min(found, key=lambda event: abs(line(event) - line(consume)), default=None)


def _zero_elsewhere(account: Account, line: Line) -> Zero | None:
    found = [zero for zero, reach in account.clearing.zeros.items() if reach is Reach.ALL]
    return min(found, key=line, default=None)


def _surrounds(zero: Zero, account: Account, consume: Consume) -> bool:
    """It stands around the loop of the step, and is not there for another step."""
    here, there = zero.site, consume.site
    if here.function is there.function:
        if any(a.test == b.test and a.taken != b.taken for a in here.guards for b in there.guards):
            return False  # it stands in the other branch of a test
        depth = len(here.loops)
        if here.loops != there.loops[:depth]:
            return False
        if depth == len(there.loops):
            return not depth
        return _trains(account, consume, depth)
    return not any(other.beside(zero) for other in account.arrivals)


def _trains(account: Account, consume: Consume, depth: int) -> bool:
    """Whether the loop at this depth around a step has a backward in it: it walks over batches,
    and not merely over the tensors of one step."""
    place = account.places.of(consume)
    if place is None:
        return True
    loops = place.loops[: len(place.loops) - len(consume.site.loops) + depth + 1]
    fed = [account.places.of(deposit) for deposit in account.deposits]
    return any(each is None or each.loops[: len(loops)] == loops for each in fed)


def _zero_of_other(account: Account, consume: Consume, line: Line) -> Zero | None:
    """A zeroing in the step's own loop that another optimizer does not need."""
    if consume.by_hand and account.owner.thing is not Thing.MODULE:
        return None  # no `zero_grad()` was ever meant for a tensor
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
