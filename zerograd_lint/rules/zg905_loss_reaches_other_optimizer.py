from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from ..events.event import Deposit
from ..fixing.plan import Report
from ..ledger.account import Account
from ..ledger.analysis import Analysis
from ..ledger.automata.balance import Status
from ..vocabulary.calls import Effect
from .rule import Line, Rule


class LossReachesOtherOptimizer(Rule):
    """
    ## What it does

    Finds a second loss whose backward adds to a network between that network's own backward and
    its own step: a generator's loss in the discriminator.

    ## Why is this bad?

    The step applies both gradients. A discriminator trained with its generator's loss learns to be
    fooled.

    ## Fix safety

    There is no fix: step between the two backwards, detach, or freeze the other network.
    """

    code = "ZG905"
    name = "loss-reaches-other-optimizer"
    summary = "a second loss deposits into a network between its own backward and its own step"
    on_by_default = False
    needs = (Effect.DEPOSIT | Effect.CONSUME,)
    proof = "differs"
    example = "gan_joint_step"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        reported = set()
        for account in analysis.accounts:
            for consume, balances in account.arrivals.items():
                for balance in balances:
                    if balance.status is not Status.FRESH or len(balance.fresh) < 2:
                        continue
                    for own, foreign in permutations(sorted(balance.fresh, key=line), 2):
                        other = _meant_for(foreign, own, account, analysis)
                        if other is None or foreign in reported:
                            continue
                        reported.add(foreign)
                        yield Report(
                            foreign,
                            f"this loss, meant for '{other}', also adds to the gradients of "
                            f"'{consume.spelling}' before it steps (line {line(consume)})",
                            ((own, f"the backward meant for '{consume.spelling}'"),),
                            advice="step in between, or detach",
                        )


def _meant_for(foreign: Deposit, own: Deposit, account: Account, analysis: Analysis) -> str | None:
    """The other optimizer a loss is for, if it also flows through all of this account's network.

    The account must have a loss of its own, which no other optimizer shares: where each loss
    reaches a common part and a head, the common part is meant to learn from all of them.
    """
    mine = account.owner.covers or ()
    if not _flows(own, mine) or not mine or not all(part in foreign.sources for part in mine):
        return None
    others = [
        other.owner
        for other in analysis.accounts
        if other.root is account.root and other.owner.ref != account.owner.ref
    ]
    if any(_flows(own, other.covers or ()) for other in others):
        return None
    return next((str(o.ref) for o in others if _flows(foreign, o.covers or ())), None)


def _flows(deposit: Deposit, parts: tuple[object, ...]) -> bool:
    return any(part in deposit.sources for part in parts)
