from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Advance
from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.windows import closes_window_of


class SchedulerEveryMicroBatch(Rule):
    """
    ## What it does

    Finds a schedule that moves on with every micro-batch while the optimizer steps once per window.

    ## Why is this bad?

    The learning rate runs through its schedule n times as fast as the steps do: warm-up is over
    after a fraction of its steps, and the rate has decayed long before training ends. Some people
    count the schedule in micro-batches: this is for information only.

    ## Fix safety

    There is no fix: the length of the schedule may have to change as well.
    """

    code = "ZG906"
    name = "scheduler-every-micro-batch"
    summary = "the schedule moves on with every micro-batch, the optimizer once per window"
    on_by_default = False
    needs = (Effect.DEPOSIT | Effect.CONSUME,)
    proof = "differs"
    example = "modulo"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        advances = [event for event in analysis.events if isinstance(event, Advance)]
        reported = set()
        for account in analysis.accounts if advances else ():
            # A launcher that holds back the step holds back the schedule as well.
            if account.surroundings.other_consumes or any(d.managed for d in account.deposits):
                continue
            for consume in account.arrivals:
                for advance in advances:
                    # In an inner loop it may be there for something else.
                    if advance in reported or not account.places.beside(advance, consume):
                        continue
                    if closes_window_of(consume, advance, account):
                        reported.add(advance)
                        yield Report(
                            advance,
                            f"'{advance.spelling}' moves on with every micro-batch, but "
                            f"'{consume.spelling}' steps once per window (line {line(consume)}): "
                            "the schedule ends long before training does",
                            ((consume, "the step that the schedule should follow"),),
                            advice="step both together",
                        )
