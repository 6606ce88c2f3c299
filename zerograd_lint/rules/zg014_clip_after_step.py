from __future__ import annotations

from collections.abc import Iterator

from ..argument import Question
from ..events.event import Clip, Consume
from ..fixing.plan import MoveBefore, Plan, Report
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect
from .rule import Line, Rule


class ClipAfterStep(Rule):
    """
    ## What it does

    Finds gradients that are clipped when the step has applied them already, and that are cleared
    before anything else is done with them.

    ## Why is this bad?

    The step has applied the gradients as large as they were; what is cut down afterwards is thrown
    away. Training runs without the limit that the code asks for.

    ## Fix safety

    The fix moves the clip in front of the step. It is unsafe: it changes what the program computes.
    """

    code = "ZG014"
    name = "clip-after-step"
    summary = "gradients are clipped after the step that has applied them, and then cleared"
    needs = (Effect.DEPOSIT | Effect.CONSUME | Effect.CLIP | Effect.ZERO | Effect.IRREGULAR,)
    asks = (Question.WIPES,)
    proof = "differs"
    example = "textbook_loop"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        reported = set()
        for account in analysis.accounts:
            for clip, states in account.clips.late.items():
                step = states[0].applied_by
                if step is None or clip in reported or not clip.movable:
                    continue
                reported.add(clip)
                yield Report(
                    clip,
                    f"{step.call or f'the update of {step.spelling}'} (line {line(step)}) has "
                    "applied these gradients already, and they are cleared next: clipping them "
                    "here limits nothing",
                    ((step, "these gradients are applied here already"),),
                    tuple(_plans(clip, step)),
                    "clip between the backward and the step",
                )


def _plans(clip: Clip, step: Consume) -> Iterator[Plan]:
    # Under an `if` of its own the clip would leave its reason behind.
    if clip.site.function is step.site.function and clip.site.guards == step.site.guards:
        yield Plan("Move the clip in front of the step", (MoveBefore(clip.site, step.site),))
