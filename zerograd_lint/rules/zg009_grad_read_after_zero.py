from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Read
from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..ledger.automata.presence import Buffer
from ..vocabulary.calls import Effect
from .rule import Line, Rule


class GradReadAfterZero(Rule):
    """
    ## What it does

    Finds uses of `.grad` after a zeroing that set it to `None` and before the next backward.

    ## Why is this bad?

    Since torch 2.0 `zero_grad()` sets gradients to `None`. Code that logs or clips them afterwards
    fails with an AttributeError or a TypeError.

    ## Fix safety

    There is no fix: read the gradient before it is cleared, or clear it later.
    """

    code = "ZG009"
    name = "grad-read-after-zero"
    summary = "`.grad` is used after `zero_grad()` set it to `None` and before the next backward"
    needs = (Effect.EMPTIED | Effect.NEEDED,)
    proof = "none-crash"
    example = "gradient_norm"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for log in analysis.buffers:
            for event, states in log.arrivals.items():
                if not isinstance(event, Read) or not log.is_always_reached(event) or not states:
                    continue
                if any(state.buffer is not Buffer.SET_TO_NONE for state in states):
                    continue
                zero = next(s.emptied for s in states if s.emptied is not None)
                yield Report(
                    event,
                    f"{event.spelling}.grad is None here: line {line(zero)} has set it to None and "
                    "no backward has come since",
                    ((zero, "this zeroing leaves None behind"),),
                    advice="read it before it is cleared",
                )
