from __future__ import annotations

from collections.abc import Iterator

from ..argument import Question
from ..events.event import Clip, Consume, Read, Unscale
from ..fixing.plan import InsertBefore, MoveBefore, Plan, Report
from ..ledger.analysis import Analysis
from ..ledger.automata.loss_scale import Scale, ScalerLog, ScaleState
from ..program import ANY_ELEMENT
from ..vocabulary.calls import Effect
from ..vocabulary.things import Thing
from .rule import Line, Rule
from .shared.scaler_states import gradient_states


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
    needs = (Effect.DEPOSIT | Effect.CONSUME | Effect.IRREGULAR,)
    by_configuration = True
    asks = (Question.SCALER,)
    proof = "differs"
    example = "clip_norm"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for log, event, states in gradient_states(analysis, Read):
            # A tensor that no optimizer owns cannot be unscaled: `x + eps * x.grad.sign()`.
            if log.owner.thing is not Thing.OPTIMIZER or not event.measures:
                continue
            if not isinstance(event, Clip) and _is_reckoned_with(event, log, states):
                continue
            if not _only_scaled(states):
                continue
            if event in log.unowned and not _whoever_owns_it(log, event, analysis):
                continue
            if any(state.handled for state in states) and _others_may_own_it(log, analysis):
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
            elif steps and _is_in_reach(steps[0], log, event):
                plans = (Plan(f"Insert `{call}`", (InsertBefore(event.site, call),)),)
            yield Report(
                event,
                f"the gradients of '{name}' are still multiplied by the loss scale here (scaled on "
                f"line {line(deposit)})",
                (
                    (deposit, "these gradients carry the loss scale"),
                    *((step, "they are unscaled only here") for step in steps if step.scaler),
                ),
                plans,
                f"call {call} first",
            )


def _is_reckoned_with(event: Read, log: ScalerLog, states: list[ScaleState]) -> bool:
    """The scale is divided out of what was read, or a test looks at scaled gradients."""
    return any(state.asked for state in states) or log.places.is_tried_out(event)


def _is_in_reach(step: Consume, log: ScalerLog, event: Read) -> bool:
    """Whether the optimizer has the same name here: not one of many, and no other function's."""
    one_of_many = ANY_ELEMENT in log.owner.ref.path
    return step.site.function is event.site.function and not one_of_many


def _whoever_owns_it(log: ScalerLog, event: Read, analysis: Analysis) -> bool:
    """Of all optimizers that may own what is clipped, none is unscaled; this is the first."""
    here = [o for o in analysis.scalers if o.places is log.places and event in o.arrivals]
    if here[0] is not log or not all(event in other.unowned for other in here):
        return False
    if not any(isinstance(e, Consume) and e.scaler is not None for e in log.arrivals):
        return False
    states = [state for other in here for state in other.arrivals[event]]
    return _only_scaled(states) and not any(state.handled for state in states)


def _others_may_own_it(log: ScalerLog, analysis: Analysis) -> bool:
    """Another optimizer is unscaled, and it is not known what that one owns."""
    others = (o for o in analysis.scalers if o.places is log.places and o is not log)
    return any(
        isinstance(event, Unscale)
        for other in others
        if other.owner.covers is None
        for event in other.arrivals
    )


def _only_scaled(states: list[ScaleState]) -> bool:
    """The gradients are scaled, wherever there are any."""
    found = {state.scale for state in states}
    return Scale.SCALED in found and found <= {Scale.SCALED, Scale.EMPTY}
