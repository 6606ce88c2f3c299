from __future__ import annotations

from collections.abc import Iterator

from ..argument import Question
from ..events.event import Consume
from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..ledger.automata.loss_scale import Scale
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.scaler_states import gradient_states


class StepBypassesScaler(Rule):
    """
    ## What it does

    Finds a plain `optimizer.step()` on the gradients of a scaled loss.

    ## Why is this bad?

    The step applies gradients that are still multiplied by the loss scale, thousands of times too
    large, and nothing skips it when they overflow.

    ## Fix safety

    There is no fix: step through the scaler, or do not scale the loss.
    """

    code = "ZG104"
    name = "step-bypasses-scaler"
    summary = "a scaled loss, but a plain `optimizer.step()`"
    needs = (Effect.DEPOSIT | Effect.CONSUME | Effect.IRREGULAR,)
    by_configuration = True
    asks = (Question.OPTIMIZER, Question.SCALER)
    proof = "scaled"
    example = "plain_step"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for _, event, states in gradient_states(analysis, Consume):
            if event.scaler is not None or event.by_hand:
                continue
            if any(state.scale is not Scale.SCALED for state in states):
                continue
            deposit = next(state.deposit for state in states if state.deposit is not None)
            scaler = str(deposit.scaler)
            yield Report(
                event,
                f"{event.call} applies gradients that still carry the loss scale of line "
                f"{line(deposit)}",
                ((deposit, "this backward is scaled"),),
                advice=f"call {scaler}.step({event.spelling}) instead",
            )
