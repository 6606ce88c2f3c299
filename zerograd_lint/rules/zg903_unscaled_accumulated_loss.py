from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Consume, Deposit, Read
from ..fixing.plan import Report
from ..ledger.account import Account
from ..ledger.analysis import Analysis
from ..ledger.automata.balance import Status
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.windows import windows


class UnscaledAccumulatedLoss(Rule):
    """
    ## What it does

    Finds gradient accumulation that sums the losses of a window without dividing by its length.

    ## Why is this bad?

    The gradient grows with the number of micro-batches, so the learning rate silently depends on
    it. Some people want that: this is for information only.

    ## Fix safety

    There is no fix: only you know what the loss is meant to be.
    """

    code = "ZG903"
    name = "unscaled-accumulated-loss"
    summary = "losses are accumulated over n micro-batches without dividing by n"
    on_by_default = False
    needs = (Effect.DEPOSIT | Effect.CONSUME,)
    proof = "differs"
    example = "modulo"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        reported = set()
        for account, consume, deposit, _ in windows(analysis):
            if deposit.divided or deposit.managed or deposit in reported:
                continue
            if not _piles_up(account, consume, deposit) or _is_for_another(deposit, account):
                continue
            if any(
                isinstance(e, Read) and e.needs_buffer and e.site.function is deposit.site.function
                for e in analysis.events
            ):
                continue
            reported.add(deposit)
            yield Report(
                deposit,
                f"the losses of a window are summed, not averaged, before '{consume.spelling}' "
                f"steps (line {line(consume)})",
                ((consume, "the step that closes the window"),),
                advice="divide the loss by the number of micro-batches",
            )


def _piles_up(account: Account, consume: Consume, deposit: Deposit) -> bool:
    """Several runs of the backward are in the buffers when the step comes: nothing clears them."""
    return any(
        b.piled_up and b.status is Status.FRESH and deposit in b.fresh
        for b in account.arrivals[consume]
    )


def _is_for_another(deposit: Deposit, account: Account) -> bool:
    """Another optimizer applies it on every pass, or it is not known to reach this one.

    A critic learns on every batch, its generator or its policy on every n-th.
    """
    others = [
        other
        for other in account.surroundings.other_consumes
        if account.places.beside(other, deposit)
    ]
    if any(not any(guard.periodic for guard in other.site.guards) for other in others):
        return True
    return bool(others) and not any(p in deposit.sources for p in account.owner.covers or ())
