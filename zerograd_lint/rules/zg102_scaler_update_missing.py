from __future__ import annotations

from collections.abc import Iterator

from ..argument import Question
from ..events.event import Consume, Update
from ..fixing.plan import InsertAfter, Plan, Report
from ..ledger.analysis import Analysis
from ..ledger.automata.loss_scale import ScaleState
from ..ledger.places import Places
from ..program import Ref
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.scaler_states import scaler_states


class ScalerUpdateMissing(Rule):
    """
    ## What it does

    Finds `scaler.step` with no `scaler.update()` on the way to the next one.

    ## Why is this bad?

    Without `update()` the scaler neither adapts its scale nor forgets that it has stepped: the
    next `unscale_` or `step` raises a RuntimeError.

    ## Fix safety

    The fix inserts `scaler.update()` after the last step, unless the file updates the scaler
    elsewhere. It is unsafe: it changes what the program computes.
    """

    code = "ZG102"
    name = "scaler-update-missing"
    summary = "`scaler.step` with no `scaler.update()` on the way to the next one"
    needs = (Effect.CONSUME | Effect.SCALED | Effect.IRREGULAR,)
    by_configuration = True
    asks = (Question.SCALER,)
    proof = "crash"
    example = "plain_loop"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        last: dict[Ref, Consume] = {}
        updates = [event for event in analysis.events if isinstance(event, Update)]
        alone = len(updates) == 1  # one before and one after the step make up for each other
        for log, event, states in scaler_states(analysis, Consume):
            again = [state for state in states if state.since is not None]
            if event.scaler is None or event.site.caught or not again:
                continue
            nearest = max(state.lowest for state in again)
            near = [state for state in again if state.lowest == nearest]
            if alone:
                near = [state for state in near if not _seldom(state, event, log.places)]
            if not near or any(s.stepped is None or s.across_calls for s in near):
                continue
            known = last.get(event.scaler)
            if known is None or line(event) > line(known):
                last[event.scaler] = event
        updated = {update.scaler for update in updates}
        for scaler, event in last.items():
            code = f"{scaler}.update()"
            plan = Plan(f"Insert `{code}` after the step", (InsertAfter(event.site, code),))
            yield Report(
                event,
                f"{event.call} comes round again with no {code} in between: the scale never "
                "adapts and the next unscale_ or step raises",
                (),
                (plan,) if scaler not in updated else (),
                "call it after the step",
            )


def _seldom(state: ScaleState, step: Consume, places: Places) -> bool:
    """The update on this way runs on some passes only, the step on every one of them."""
    if state.updated is None:
        return False
    here, there = places.of(state.updated), places.of(step)
    if here is None or there is None or here.loops != there.loops:
        return False
    return any(guard.periodic and guard not in there.guards for guard in here.guards)
