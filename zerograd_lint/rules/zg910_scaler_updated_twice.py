from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Consume, Update
from ..fixing.plan import Plan, Remove, Report
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.scaler_states import gradient_states


class ScalerUpdatedTwice(Rule):
    """
    ## What it does

    Finds `scaler.update()` between the backward of an optimizer and its step, as a second one
    behind the step of another optimizer.

    ## Why is this bad?

    The update chooses the scale of the next iteration. What was computed before it carries the old
    scale, but is divided by the new one: whenever the scale changes, the step is too large or too
    small by a factor.

    ## Fix safety

    The fix removes the first update, if another one follows in the same block. It is unsafe: it
    changes what the program computes.
    """

    code = "ZG910"
    name = "scaler-updated-twice"
    summary = (
        "`scaler.update()` between a backward and the step of its optimizer, and again after it"
    )
    on_by_default = False
    needs = (Effect.CONSUME | Effect.SCALED,)
    proof = "differs"
    example = "two_optimizers"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        reported: set[Update | None] = set()
        for _, step, states in gradient_states(analysis, Consume):
            early = {state.early for state in states}
            if step.scaler is None or None in early:
                continue
            for update in sorted(filter(None, early - reported), key=line):
                reported.add(update)
                follows = update.site.block == step.site.block and line(update) < line(step)
                yield Report(
                    update,
                    f"{update.scaler}.update() comes between the backward and the step of "
                    f"'{step.spelling}' (line {line(step)}), whose gradients carry the old scale",
                    ((step, "what this applies is divided by the new scale"),),
                    (Plan("Remove this update", (Remove(update.site),)),) if follows else (),
                    "update once, after the last step of an iteration",
                )
