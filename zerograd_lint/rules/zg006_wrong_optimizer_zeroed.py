from __future__ import annotations

from collections.abc import Iterator

from ..argument import STEP_TO_STEP
from ..events.event import Zero
from ..fixing.plan import Plan, Replace, Report
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.stale_steps import StaleStep, stale_steps
from .shared.zeroing_place import placements, zeroing_call


class WrongOptimizerZeroed(Rule):
    """
    ## What it does

    Finds loops that clear one optimizer, once more than it needs, and step another one that is
    never cleared.

    ## Why is this bad?

    The optimizer that steps applies the gradients of all earlier iterations, while a zeroing
    beside it makes the loop look right.

    ## Fix safety

    The fix zeroes the optimizer that steps instead, or as well if the other one needs its zeroing
    after all. It is unsafe: it changes what the program computes.
    """

    code = "ZG006"
    name = "wrong-optimizer-zeroed"
    summary = "one optimizer is cleared, another one steps"
    needs = (Effect.DEPOSIT | Effect.CONSUME | Effect.IRREGULAR,)
    by_configuration = True
    asks = STEP_TO_STEP
    proof = "stale"
    example = "gan_same_one_twice"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for stale in stale_steps(analysis, line):
            zero, consume = stale.zero_of_other, stale.consume
            if stale.zero_outside_loop is not None or zero is None:
                continue
            yield Report(
                consume,
                f"'{consume.spelling}' steps but is never zeroed, while line {line(zero)} zeroes "
                f"'{zero.spelling}' in its place: stale gradients are applied",
                ((zero, f"this clears '{zero.spelling}', not '{consume.spelling}'"),),
                tuple(_plans(stale, zero, analysis, line)),
                f"zero '{consume.spelling}' as well",
            )


def _plans(stale: StaleStep, zero: Zero, analysis: Analysis, line: Line) -> Iterator[Plan]:
    call = zeroing_call(stale.consume)
    yield Plan(
        f"Zero `{stale.consume.spelling}` instead",
        (Replace(zero.site, call),),
        f"call {call} there",
    )
    for place in placements(stale, analysis, line):
        yield place.insertion()
