from __future__ import annotations

from collections.abc import Iterator

from ..argument import Question
from ..events.event import Consume, Event, Read, Spoil, Unscale
from ..fixing.plan import MoveBefore, Plan, Report
from ..ledger.analysis import Analysis
from ..ledger.automata.loss_scale import ScalerLog, ScaleState
from ..ledger.places import EventPlace, Places
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.scaler_states import scaler_states


class RepeatedUnscale(Rule):
    """
    ## What it does

    Finds `scaler.unscale_` that runs more than once per step, most often on every micro-batch, or
    again where gradients that were not finite, or too large, made the code skip both the step and
    the update.

    ## Why is this bad?

    The scaler raises a RuntimeError on the second call, and would divide the scale out twice if it
    did not.

    ## Fix safety

    The fix moves the call under the guard of the step, and a clip that follows it as well. It is
    unsafe: it changes what the program computes.
    """

    code = "ZG103"
    name = "repeated-unscale"
    summary = "`unscale_` runs more than once per step (every micro-batch)"
    needs = (Effect.CONSUME | Effect.SCALED | Effect.IRREGULAR,)
    by_configuration = True
    asks = (Question.SCALER,)
    proof = "crash"
    example = "every_micro_batch"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for log, event, states in scaler_states(analysis, Unscale):
            if event.site.caught:
                continue
            skipped = _skipped(log, states)
            if skipped is not None:
                which = "too large" if skipped.finite else "not finite"
                yield Report(
                    event,
                    f"where line {line(skipped)} finds gradients that are {which}, nothing "
                    f"updates {event.scaler}: the next {event.scaler}.unscale_({event.spelling}) "
                    "raises",
                    ((skipped, "neither a step nor an update follows"),),
                    advice=f"call {event.scaler}.update() there as well",
                )
                continue
            again = [
                s
                for s in states
                if s.unscaled is not None and (log.counts_calls or not s.across_calls)
            ]
            place = log.places.of(event)
            if not again or place is None or (place.guards and place.guards[-1].periodic):
                continue
            others = {s.unscaled for s in again} - {event}
            if others and any(s.unscaled is None for s in states):
                continue
            steps = [e for e in log.arrivals if isinstance(e, Consume)]
            if not others and not (
                all(guard.is_setting or guard.asks_for_finite for guard in place.guards)
                and any(_guarded_apart(step, place, log.places) for step in steps)
            ):
                continue
            user = _first_under_guard(steps, event, analysis, line) if not others else None
            moved = [event, *_users_behind(event, analysis, line)]
            title = "Move it under the guard of the step"
            if len(moved) > 1:
                title += ", with what uses the gradients behind it"
            yield Report(
                event,
                f"{event.scaler}.unscale_({event.spelling}) runs more than once before its step: "
                "the second call raises",
                tuple((step, "once per this step is enough") for step in steps),
                (Plan(title, tuple(MoveBefore(e.site, user.site) for e in moved)),)
                if user is not None
                else (),
                "unscale once, right before the clip or the step",
            )


def _skipped(log: ScalerLog, states: list[ScaleState]) -> Spoil | None:
    """A test after which no path updates the scaler before the next unscaling."""
    found = [s.spoilt for s in states if s.spoilt not in log.mended and not s.across_calls]
    return next((spoilt for spoilt in found if spoilt is not None), None)


def _guarded_apart(step: Consume, unscaled: EventPlace, places: Places) -> bool:
    """The step stands under a guard, or further out, where the unscaling does not."""
    place = places.of(step)
    if place is None:
        return False
    if place.loops != unscaled.loops:
        depth = len(place.loops)
        return depth < len(unscaled.loops) and place.loops == unscaled.loops[:depth]
    return any(guard.periodic and guard not in unscaled.guards for guard in place.guards)


def _users_behind(event: Event, analysis: Analysis, line: Line) -> list[Event]:
    """What clips or reads the gradients behind the unscaling, and so must stay behind it."""
    found = [
        e
        for e in analysis.events
        if isinstance(e, Read) and e.site.block == event.site.block and line(e) > line(event)
    ]
    return sorted(found, key=line)


def _first_under_guard(
    steps: list[Consume], event: Event, analysis: Analysis, line: Line
) -> Event | None:
    """The first thing under the step's guard that needs unscaled gradients: a clip, or the step."""
    step = next((s for s in steps if s.beside(event)), None)
    if step is None:
        return None
    users = [
        e
        for e in analysis.events
        if e.site.block == step.site.block and isinstance(e, Read | Consume)
    ]
    return min(users, key=line)
