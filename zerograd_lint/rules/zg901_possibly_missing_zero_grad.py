from __future__ import annotations

from collections.abc import Iterator

from ..argument import STEP_TO_STEP
from ..events.event import Consume, Event, Zero
from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..ledger.automata.balance import Balance, Status
from ..vocabulary.calls import Effect
from .rule import Line, Rule


class PossiblyMissingZeroGrad(Rule):
    """
    ## What it does

    Finds steps that apply stale gradients on some paths only: one branch zeroes and the other does
    not, or an early `continue` or an exception skips the zeroing.

    ## Why is this bad?

    Most iterations are right, so the bug shows only as noise in the loss curve.

    ## Fix safety

    There is no fix: only you know which paths are meant to accumulate.
    """

    code = "ZG901"
    name = "possibly-missing-zero-grad"
    summary = "gradients are stale on some path only"
    on_by_default = False
    needs = (Effect.DEPOSIT | Effect.CONSUME,)
    asks = STEP_TO_STEP[:-1]
    proof = "stale"
    example = "one_branch_zeroes"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for account in analysis.accounts:
            definite = set(account.stale)
            zeros = [
                zero
                for zero in account.clearing.zeros
                if account.clearing.zeros[zero].value == "all"
            ]
            reported: set[Event] = set()
            for _, paths in account.certain(rare=True):
                balances = [balance for _, balance in paths]
                if any(b.status is Status.UNKNOWN for b in balances) or _accumulates(paths, zeros):
                    continue
                for event, balance in paths:
                    if balance.status is Status.STALE and event not in definite | reported:
                        reported.add(event)
                        where = f" (line {line(zeros[0])})" if zeros else ""
                        yield Report(
                            event,
                            f"'{event.spelling}' may apply gradients left over from the previous "
                            f"step: not every path to this step passes the zeroing{where}",
                            tuple((zero, "this zeroing can be skipped") for zero in zeros),
                        )


def _accumulates(paths: list[tuple[Consume, Balance]], zeros: list[Zero]) -> bool:
    """Windows that open and close by a modulo look like skipped zeroings, and are none."""
    events = [*zeros, *(event for event, _ in paths)]
    return any(guard.periodic for event in events for guard in event.site.guards)
