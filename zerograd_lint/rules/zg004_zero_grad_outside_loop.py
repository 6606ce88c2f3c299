from __future__ import annotations

from collections.abc import Iterator

from ..argument import STEP_TO_STEP
from ..events.event import Consume, Zero
from ..fixing.plan import InsertAfter, MoveAfter, MoveBefore, Plan, Report
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.stale_steps import stale_steps
from .shared.windows import rare_zeroings
from .shared.zeroing_place import insertion, zeroing_call


class ZeroGradOutsideLoop(Rule):
    """
    ## What it does

    Finds zeroings that run once, once per epoch or for every n-th batch, while the step runs for
    every batch.

    ## Why is this bad?

    Within the loop nothing clears the gradients, so each step applies the sum of all batches
    since the zeroing.

    ## Fix safety

    The fix moves the zeroing into the loop. It is unsafe: it changes what the program computes.
    """

    code = "ZG004"
    name = "zero-grad-outside-loop"
    summary = "the zeroing runs once, per epoch or every n-th time, while the step runs per batch"
    needs = (Effect.DEPOSIT | Effect.CONSUME,)
    by_configuration = True
    asks = STEP_TO_STEP[:-1]
    proof = "stale"
    example = "once_per_epoch"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        yield from self._around(analysis, line)
        yield from self._now_and_then(analysis, line)

    def _now_and_then(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        """The zeroing is in the loop, but for every n-th batch only."""
        for consume, deposit, zero in rare_zeroings(analysis):
            plan = Plan("Zero for every batch", (MoveBefore(zero.site, deposit.site),))
            yield Report(
                consume,
                f"'{consume.spelling}' is stepped here for every batch but zeroed only now and "
                f"then (line {line(zero)}): gradients pile up until it is; zero them for every "
                "batch",
                ((zero, "this zeroing does not run between every two steps"),),
                plan,
            )

    def _around(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for stale in stale_steps(analysis, line):
            zero, consume = stale.zero_outside_loop, stale.consume
            if zero is None:
                continue
            change = insertion(stale, analysis, line)
            plan = None
            if _may_move(zero, consume, analysis):
                move = MoveAfter if isinstance(change, InsertAfter) else MoveBefore
                plan = Plan("Move the zeroing into the loop", (move(zero.site, change.place),))
            elif not consume.by_hand:
                plan = Plan(f"Insert `{zeroing_call(consume)}`", (change,))
            yield Report(
                consume,
                f"'{consume.spelling}' is stepped here for every batch but zeroed only outside the "
                f"loop (line {line(zero)}): gradients pile up from batch to batch; zero them in "
                "the loop",
                ((zero, "this zeroing does not run between two steps"),),
                plan,
            )


def _may_move(zero: Zero, consume: Consume, analysis: Analysis) -> bool:
    """The zeroing does no other duty: not under a test of its own, nor in a helper."""
    here, there = zero.site.function, consume.site.function
    if any(not guard.decided for guard in zero.site.guards):
        return False
    return here is there or (
        zero.spelling == consume.spelling and there in analysis.invocations.reachable(here)
    )
