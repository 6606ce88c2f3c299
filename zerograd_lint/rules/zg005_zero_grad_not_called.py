from __future__ import annotations

from collections.abc import Iterator

from ..argument import Question
from ..events.event import Uncalled
from ..fixing.plan import AddCall, Plan, Report
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect
from .rule import Line, Rule


class ZeroGradNotCalled(Rule):
    """
    ## What it does

    Finds `optimizer.zero_grad` without parentheses as a statement.

    ## Why is this bad?

    The line looks right and does nothing: gradients are never cleared.

    ## Fix safety

    The fix adds `()`. It is unsafe: it changes what the program computes, which is the point.
    """

    code = "ZG005"
    name = "zero-grad-not-called"
    summary = "`optimizer.zero_grad` without `()` does nothing"
    on_dead_code = True
    needs = (Effect.UNCALLED,)
    asks = (Question.NAMED,)
    proof = "stale"
    example = "textbook_loop"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for event in analysis.events:
            if isinstance(event, Uncalled):
                yield Report(
                    event,
                    f"{event.spelling}.zero_grad is named but not called, so nothing is cleared",
                    (),
                    (Plan("Call it", (AddCall(event.site),)),),
                    "add ()",
                )
