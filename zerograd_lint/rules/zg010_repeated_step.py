from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Consume
from ..fixing.plan import Report
from ..ledger.account import Account
from ..ledger.analysis import Analysis
from ..ledger.automata.balance import Balance, Status
from ..vocabulary.calls import Effect
from .rule import Line, Rule


class RepeatedStep(Rule):
    """
    ## What it does

    Finds a second step of the same optimizer in one iteration, with no backward and no zeroing
    since the first.

    ## Why is this bad?

    Both steps apply the same gradients, so every batch moves the weights twice. With momentum or
    Adam the second move is not even the same as the first.

    ## Fix safety

    There is no fix: either one of the steps is too many, or a backward is missing.
    """

    code = "ZG010"
    name = "repeated-step"
    summary = "two steps in one iteration with no backward in between apply the same gradients"
    needs = (Effect.DEPOSIT | Effect.CONSUME | Effect.IRREGULAR,)
    proof = "stale"
    example = "stepped_twice"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for account in analysis.accounts:
            for first, paths in account.certain():
                if paths and all(_repeats(account, first, end, b) for end, b in paths):
                    again = paths[0][0]
                    if account.places.is_tried_out(again):
                        continue
                    yield Report(
                        again,
                        f"'{again.spelling}' steps a second time (line {line(first)} is the "
                        "first) with no backward in between: the same gradients are applied "
                        "twice",
                        ((first, "these gradients are applied here already"),),
                        advice="remove one of the steps",
                    )


def _repeats(account: Account, first: Consume, again: Consume, balance: Balance) -> bool:
    """The second step follows the first in the same loop."""
    return (
        balance.status is Status.USED
        and balance.depth == balance.lowest == 0
        and not balance.across_calls
        and first is not again
        and not (first.by_hand or again.by_hand)
        and bool(account.deposits)
        and any(b.since is not None and not b.across_calls for b in account.arrivals[first])
    )
