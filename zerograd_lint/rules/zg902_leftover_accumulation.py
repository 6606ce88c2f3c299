from __future__ import annotations

from collections.abc import Iterator

from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..ledger.automata.balance import Status
from ..program import Atom, Not
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.windows import windows


class LeftoverAccumulation(Rule):
    """
    ## What it does

    Finds accumulation whose last, incomplete window of an epoch leaks into the next epoch: the
    counter starts anew, the gradients do not.

    ## Why is this bad?

    The first step of the next epoch applies more micro-batches than it should, computed with
    weights that have moved on.

    ## Fix safety

    There is no fix: step on the last batch as well, or zero at the start of the epoch.
    """

    code = "ZG902"
    name = "leftover-accumulation"
    summary = "the last, incomplete window of an epoch leaks into the next"
    on_by_default = False
    needs = (Effect.DEPOSIT | Effect.CONSUME,)
    proof = "differs"
    example = "modulo"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        reported = set()
        for account, consume, deposit, guard in windows(analysis):
            test = guard.test.operand if isinstance(guard.test, Not) else guard.test
            if consume in reported or not isinstance(test, Atom) or not test.counts_anew:
                continue
            flushed = any(
                other.site.function is consume.site.function
                and len(other.site.loops) < len(consume.site.loops)
                for other in account.arrivals
            )
            if not flushed and any(
                b.carried and b.status is Status.FRESH and deposit in b.fresh
                for b in account.arrivals[consume]
            ):
                reported.add(consume)
                yield Report(
                    consume,
                    f"micro-batches left at the end of an epoch are applied in the next one by "
                    f"'{consume.spelling}'",
                    ((deposit, "the last of these may find no step"),),
                    advice="step on the last batch too, or zero at the start of each epoch",
                )
