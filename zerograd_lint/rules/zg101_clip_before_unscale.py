from __future__ import annotations

from collections.abc import Iterator

from ..argument import Question
from ..events.event import Consume, Read, Unscale
from ..fixing.plan import InsertBefore, MoveBefore, Plan, Report
from ..ledger.analysis import Analysis
from ..ledger.automata.loss_scale import Scale
from ..vocabulary.calls import Effect
from ..vocabulary.things import Thing
from .rule import Line, Rule
from .shared.scaler_states import scaler_states


class ClipBeforeUnscale(Rule):
    """
    ## What it does

    Finds gradients of a scaled loss that are clipped or read before `scaler.unscale_(optimizer)`.

    ## Why is this bad?

    The gradients are still multiplied by the loss scale, often 65536, so every clip cuts them
    down to almost nothing and every logged norm is wrong.

    ## Fix safety

    The fix inserts `scaler.unscale_(optimizer)` before the clip, or moves it there if it follows
    later. It is unsafe: clipping starts to mean what it says.
    """

    code = "ZG101"
    name = "clip-before-unscale"
    summary = "gradients of a scaled loss are clipped or read before `scaler.unscale_`"
    needs = (Effect.DEPOSIT | Effect.CONSUME,)
    by_configuration = True
    asks = (Question.OPTIMIZER, Question.SCALER)
    proof = "differs"
    example = "clip_norm"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for log, event, states in scaler_states(analysis, Read):
            # A tensor that no optimizer owns cannot be unscaled: `x + eps * x.grad.sign()`.
            if log.owner.thing is not Thing.OPTIMIZER:
                continue
            if any(state.scale is not Scale.SCALED for state in states):
                continue
            deposit = next(state.deposit for state in states if state.deposit is not None)
            own = [e for e in log.arrivals if e.subject is not None and not isinstance(e, Read)]
            steps = [e for e in own if isinstance(e, Consume)]
            name = steps[0].spelling if steps else str(log.owner.ref)
            scaler = str(deposit.scaler)
            call = f"{scaler}.unscale_({name})"
            later = [e for e in own if isinstance(e, Unscale) and e.site.block == event.site.block]
            plans: tuple[Plan, ...] = ()
            if later:
                move = MoveBefore(later[0].site, event.site)
                advice = f"unscale first, not on line {line(later[0])}"
                plans = (Plan(f"Move `{call}` here", (move,), advice),)
            elif steps and steps[0].site.function is event.site.function:
                plans = (Plan(f"Insert `{call}`", (InsertBefore(event.site, call),)),)
            yield Report(
                event,
                f"the gradients of '{name}' are still multiplied by the loss scale here (scaled on "
                f"line {line(deposit)})",
                ((deposit, "these gradients carry the loss scale"),),
                plans,
                f"call {call} first",
            )
