"""Where a missing zeroing belongs, before the backward or after the step, as plans with advice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ...events.event import Consume, Deposit, Event, Update
from ...events.site import Site
from ...fixing.plan import InsertAfter, InsertBefore, MoveAfter, MoveBefore, Plan
from ...ledger.account import Account
from ...ledger.analysis import Analysis
from ..rule import Line
from .stale_steps import StaleStep


class Placement(NamedTuple):
    """A place for a zeroing, and how a message names it."""

    place: Site
    before: bool
    """In front of the statement there, else behind it."""
    where: str
    code: str
    """The zeroing as it is written there."""
    line: int | None = None
    """The line that `where` names, if it is another one than the finding's."""

    def insertion(self) -> Plan:
        """Write the zeroing there."""
        change = InsertBefore if self.before else InsertAfter
        name, _, value = self.code.partition(" = ")
        verb = f"set {name} to {value}" if value else f"call {name}"
        return Plan(
            f"Insert `{self.code}` {self.where}",
            (change(self.place, self.code),),
            f"{verb} {self._where_exactly}",
        )

    def move(self, zeroing: Site) -> Plan:
        """Bring a zeroing there that stands somewhere else."""
        change = MoveBefore if self.before else MoveAfter
        title = f"Move the zeroing {self.where}"
        return Plan(title, (change(zeroing, self.place),), f"zero {self._where_exactly}")

    @property
    def _where_exactly(self) -> str:
        return self.where if self.line is None else f"{self.where} (line {self.line})"


def zeroing_call(consume: Consume) -> str:
    """The code that clears what this step applies."""
    if consume.by_hand:
        return f"{consume.spelling}.grad = None"
    return f"{consume.spelling}.zero_grad()"


def placements(stale: StaleStep, analysis: Analysis, line: Line) -> Iterator[Placement]:
    """Where the missing zeroing may go, the best place first."""
    consume, deposit = stale.consume, stale.deposit
    code = zeroing_call(consume)
    if consume.by_hand or deposit is None:
        done = "update" if consume.by_hand else "step"
        yield Placement(consume.site, False, f"after the {done}", code)
        return
    if deposit.site.function is consume.site.function:
        if _has_own_step(deposit, consume):
            yield _before_backward(stale, deposit, code, line)
    elif consume.closure_start is not None:
        yield Placement(consume.closure_start, True, "at the start of the closure", code)
    elif not _accumulates(stale):
        owner = stale.account.owner.ref
        if consume.reachable_in(deposit.site.function):
            yield _before_backward(stale, deposit, code, line)
        elif owner.scope == deposit.site.function.scope:
            # The caller holds the optimizer under a name of its own.
            yield _before_backward(stale, deposit, f"{owner}.zero_grad()", line)
    yield after_step(stale.since, stale.account, analysis, line)


def _before_backward(stale: StaleStep, deposit: Deposit, code: str, line: Line) -> Placement:
    # Where the other branch of a test is right, the zeroing belongs into this one.
    applied = {d for balances in stale.account.stale.values() for b in balances for d in b.fresh}
    wrong = [other for other in stale.account.deposits if other in applied]
    place = _over_branches(deposit, wrong) or deposit.wrapper or deposit.site
    return Placement(place, True, "before the backward", code, line(deposit))


def after_step(consume: Consume, account: Account, analysis: Analysis, line: Line) -> Placement:
    """The place for a zeroing after a step, whichever branch the step stands in."""
    code = zeroing_call(consume)
    over = _over_branches(consume, account.arrivals)
    if over is not None:
        return Placement(over, False, "after the step", code, line(consume))
    last = _step_or_update(consume, analysis, line)
    done = "update" if isinstance(last, Update) or consume.by_hand else "step"
    return Placement(last.site, False, f"after the {done}", code, line(last))


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
    """Every backward has its step: same loop, and no guard makes steps rarer than backwards.

    A step that waits for finite numbers has a backward of its own: what is not finite must go.
    """
    here, there = deposit.site, consume.site
    if here.loops != there.loops:
        return False
    return all(
        guard in here.guards or guard.decided or guard.asks_for_finite for guard in there.guards
    )


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
