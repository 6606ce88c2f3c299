from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Consume
from ..events.site import Guard
from ..fixing.plan import Plan, Replace, Report
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.windows import windows


class WindowOffset(Rule):
    """
    ## What it does

    Finds accumulation whose first window is one micro-batch long, since its counter starts where
    the test holds: `if i % n == 0:` with `i` starting at 0.

    ## Why is this bad?

    The first step of every epoch applies one micro-batch instead of n, with a loss that was divided
    by n, and the micro-batches at the end of the epoch find no step.

    ## Fix safety

    The fix counts from one: `(i + 1) % n`. It is unsafe: it changes what the program computes.
    """

    code = "ZG908"
    name = "window-offset"
    summary = "`if i % n == 0: step` makes the first window one micro-batch long"
    on_by_default = False
    needs = (Effect.DEPOSIT | Effect.CONSUME,)
    proof = "differs"
    example = "modulo"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        reported = set()
        for _, consume, deposit, guard in windows(analysis):
            cycle = guard.cycle
            if consume in reported or cycle is None or line(deposit) > line(consume):
                continue
            if cycle.start is None or cycle.phases != {cycle.start}:
                continue
            reported.add(consume)
            yield Report(
                consume,
                f"the first window of '{consume.spelling}' is one micro-batch long, since "
                f"{cycle.counter} starts at {cycle.start}",
                ((deposit, "the first of these is applied alone"),),
                tuple(_plans(consume, guard)),
                f"test ({cycle.counter} + 1) instead",
            )


def _plans(consume: Consume, guard: Guard) -> Iterator[Plan]:
    place = guard.counter_in(consume.site)
    if place is not None and guard.cycle is not None:
        code = f"({guard.cycle.counter} + 1)"
        yield Plan(f"Test `{code}`", (Replace(place, code),))
