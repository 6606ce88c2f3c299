from __future__ import annotations

from collections.abc import Iterator

from ..argument import STEP_TO_STEP
from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.stale_steps import StaleStep, stale_steps
from .shared.zeroing_place import placements


class MissingZeroGrad(Rule):
    """
    ## What it does

    Finds steps that apply gradients an earlier step has applied already, because nothing clears
    them in between. Closures given to `step` and hand-written updates count as well. So do
    gradients that a test has found not to be finite, if nothing clears them in that case.

    ## Why is this bad?

    `backward()` adds to `.grad`. Without a zeroing, every step applies the sum of all gradients
    since the start: the direction lags, the step size grows, and training gets worse without any
    error.

    ## Fix safety

    The fix inserts the zeroing before the backward; under accumulation directly after the step,
    behind `scaler.update()` where there is one; in a closure at its start. The message says where.
    It is unsafe: it changes what the program computes, which is the point.
    """

    code = "ZG001"
    name = "missing-zero-grad"
    summary = "a step applies gradients left from an earlier step: nothing clears them in between"
    needs = (Effect.DEPOSIT | Effect.CONSUME | Effect.IRREGULAR,)
    by_configuration = True
    asks = STEP_TO_STEP
    proof = "stale"
    example = "textbook_loop"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        yield from self._left_over(analysis, line)
        for account in analysis.accounts:
            for consume, spoil in account.spoilt().items():
                yield Report(
                    spoil,
                    f"where this finds that gradients are not finite, nothing zeroes "
                    f"'{consume.spelling}': every later backward adds to them, and no step is "
                    "right any more; zero in this case as well",
                    ((consume, "this applies them, or is skipped for ever"),),
                )

    def _left_over(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for stale in stale_steps(analysis, line):
            if stale.zero_outside_loop is not None or stale.zero_of_other is not None:
                continue
            consume, deposit = stale.consume, stale.deposit
            action = f"the update of {consume.spelling}" if consume.by_hand else consume.call
            yield Report(
                consume,
                f"{action} applies gradients left over from {_origin(stale, line)}: "
                f"{_missing(stale, line)}",
                ((deposit, "this backward adds to the gradients of earlier steps"),)
                if deposit
                else (),
                tuple(place.insertion() for place in placements(stale, analysis, line)),
                "clear them in between",
            )


def _origin(stale: StaleStep, line: Line) -> str:
    """What applied the gradients before: the same step in a loop, an earlier call, or another."""
    if stale.applied_by is not None:
        return f"{stale.applied_by.call} (line {line(stale.applied_by)})"
    if not stale.across_calls:
        return "the previous update" if stale.consume.by_hand else "the previous step"
    name = stale.account.root.name
    return f"the previous call of {name}()" if name.isidentifier() else "the previous call"


def _missing(stale: StaleStep, line: Line) -> str:
    """What should clear them, and does not."""
    name, zero = stale.consume.spelling, stale.zero_elsewhere
    if zero is None or stale.applied_by is not None:
        return f"nothing zeroes '{name}' in between"
    return f"line {line(zero)} zeroes '{name}', but not in between"
