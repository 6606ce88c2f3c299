from __future__ import annotations

from collections.abc import Iterator

from ..argument import STEP_TO_STEP
from ..events.event import Zero
from ..fixing.plan import MoveBefore, Plan, Report
from ..ledger.analysis import Analysis
from ..ledger.reach import Reach
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.stale_steps import StaleStep, stale_steps
from .shared.windows import rare_zeroings
from .shared.zeroing_place import placements


class ZeroGradOutsideLoop(Rule):
    """
    ## What it does

    Finds zeroings that run once, once per epoch or for every n-th batch, while the step runs for
    every batch.

    ## Why is this bad?

    Within the loop nothing clears the gradients, so each step applies the sum of all batches
    since the zeroing.

    ## Fix safety

    The fix moves the zeroing into the loop, or writes another one there if the first also clears
    something else. It is unsafe: it changes what the program computes.
    """

    code = "ZG004"
    name = "zero-grad-outside-loop"
    summary = "the zeroing runs once, per epoch or every n-th time, while the step runs per batch"
    needs = (Effect.DEPOSIT | Effect.CONSUME | Effect.IRREGULAR,)
    by_configuration = True
    asks = STEP_TO_STEP[:-1]
    proof = "stale"
    example = "once_per_epoch"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        yield from self._around(analysis, line)
        yield from self._now_and_then(analysis, line)

    def _now_and_then(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        """The zeroing is in the loop, but for every n-th batch only."""
        for consume, deposit, zero, settings in rare_zeroings(analysis):
            advice = f"zero them for every batch, before the backward (line {line(deposit)})"
            when = f"when {' and '.join(sorted(settings))} is above 1, " if settings else ""
            yield Report(
                consume,
                f"{when}'{consume.spelling}' is stepped here for every batch but zeroed only now "
                f"and then (line {line(zero)}): gradients pile up until it is",
                ((zero, "this zeroing does not run between every two steps"),),
                (Plan("Zero for every batch", (MoveBefore(zero.site, deposit.site),)),)
                if zero.site.function is deposit.site.function
                else (),
                advice,
            )

    def _around(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for stale in stale_steps(analysis, line):
            zero, consume = stale.zero_outside_loop, stale.consume
            if zero is None:
                continue
            yield Report(
                consume,
                f"'{consume.spelling}' is stepped in every pass of this loop but zeroed only "
                f"outside it (line {line(zero)}): gradients pile up from pass to pass",
                ((zero, "this zeroing does not run between two steps"),),
                tuple(_plans(stale, zero, analysis, line)),
                "zero them in the loop",
            )


def _plans(stale: StaleStep, zero: Zero, analysis: Analysis, line: Line) -> Iterator[Plan]:
    """The zeroing moves into the loop if that is all it is for; else another one comes there."""
    for place in placements(stale, analysis, line):
        if _may_move(zero, stale, analysis):
            yield place.move(zero.site)
        yield place.insertion()


def _may_move(zero: Zero, stale: StaleStep, analysis: Analysis) -> bool:
    """The zeroing does no other duty: of another owner, under a test of its own, in a helper."""
    consume, owner = stale.consume, stale.account.owner.ref
    here, there = zero.site.function, consume.site.function
    if any(not guard.decided for guard in zero.site.guards):
        return False
    for other in analysis.accounts:
        if other.owner.ref != owner and other.clearing.zeros.get(zero) not in (None, Reach.NONE):
            return False
    return here is there or (
        zero.spelling == consume.spelling and there in analysis.invocations.reachable(here)
    )
