from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Consume, Deposit
from ..events.site import Guard
from ..fixing.plan import Report
from ..ledger.account import Account
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.windows import guards_of


class NoSyncMisaligned(Rule):
    """
    ## What it does

    Finds `no_sync` contexts that do not cover exactly the micro-batches before the last of a
    window, or that cover the backward without its forward.

    ## Why is this bad?

    If the last backward of a window is covered, processes never exchange gradients before the step
    and their networks drift apart. If others are not covered, or only their backward is, gradients
    are exchanged for nothing. A run of one process shows neither: nothing is exchanged there.

    ## Fix safety

    There is no fix: which batches belong to a window is for you to say.
    """

    code = "ZG907"
    name = "no-sync-misaligned"
    summary = "`no_sync` does not cover exactly the micro-batches before the last of a window"
    on_by_default = False
    needs = (Effect.DEPOSIT | Effect.CONSUME,)
    proof = "same"
    example = "every_micro_batch"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        reported = set()
        for account in analysis.accounts:
            for consume in account.arrivals:
                for deposit in account.deposits:
                    if deposit in reported or not account.places.beside(deposit, consume):
                        continue
                    why = _wrong(deposit, consume, account)
                    if why:
                        reported.add(deposit)
                        yield Report(
                            deposit,
                            f"this backward for '{consume.spelling}' stands under no_sync {why}",
                            ((consume, "before this step gradients have to be exchanged"),),
                        )


def _wrong(deposit: Deposit, consume: Consume, account: Account) -> str:
    """What is wrong with the context around a backward; empty if nothing is known to be."""
    context = deposit.unsynchronised
    if context is None:
        return ""
    if context.backward_only:
        return (
            "without its forward: gradients are exchanged on every micro-batch all the same; "
            "compute the loss under it as well"
        )
    own = [guard for guard in guards_of(deposit, account) if not guard.decided]
    tests = [*own, context.guard] if context.guard is not None else own
    closing = [guard for guard in guards_of(consume, account) if guard.cycle is not None]
    if not tests:
        return (
            "on every micro-batch, the last of a window included: processes never exchange "
            "gradients, and their networks drift apart"
        )
    if len(tests) == 1 and len(closing) == 1 and _counts_differently(tests[0], closing[0]):
        return (
            "by another count than its step: the micro-batch before the step has to be the one "
            "that is not covered"
        )
    return ""


def _counts_differently(covered: Guard, closing: Guard) -> bool:
    """The passes that are not covered are not those of the step."""
    synchronised, stepped = covered.skipped_cycle, closing.cycle
    if synchronised is None or stepped is None:
        return False
    return synchronised.lag_behind(stepped) not in (None, 0)
