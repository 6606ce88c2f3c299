from __future__ import annotations

from collections.abc import Iterator

from ..argument import Question
from ..events.event import Clip, Consume
from ..fixing.plan import GuardBy, MoveBefore, Plan, Report
from ..ledger.account import Account
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.windows import closes_window_of


class ClipEveryMicroBatch(Rule):
    """
    ## What it does

    Finds gradients that are clipped on every micro-batch, but applied once per window.

    ## Why is this bad?

    Clipping cuts down what has been added up so far, then the next micro-batch adds to it and all
    of it is cut down again. Early micro-batches count for less than later ones, and the limit holds
    for parts of a sum instead of the sum that is applied.

    ## Fix safety

    The fix moves the clip in front of the step, or under `sync_gradients` where a launcher decides
    about the window. It is unsafe: it changes what the program computes.
    """

    code = "ZG011"
    name = "clip-every-micro-batch"
    summary = "gradients are clipped on every micro-batch, but applied once per window"
    needs = (Effect.DEPOSIT | Effect.CONSUME | Effect.CLIP | Effect.IRREGULAR,)
    asks = (Question.WIPES,)
    proof = "differs"
    example = "modulo"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        reported = set()
        for account in analysis.accounts:
            for consume, states in account.clips.before_steps.items():
                early = [
                    clip
                    for clip in dict.fromkeys(c for state in states for c in state.too_early)
                    if clip not in reported and closes_window_of(consume, clip, account)
                ]
                for clip in sorted(early, key=line):
                    reported.add(clip)
                    yield self._report(clip, consume, account, line)

    def _report(self, clip: Clip, consume: Consume, account: Account, line: Line) -> Report:
        return Report(
            clip,
            f"the gradients of '{consume.spelling}' are clipped on every micro-batch but applied "
            f"once per window (line {line(consume)}): sums that are not complete are cut down "
            "again and again",
            ((consume, "once before this step is enough"),),
            tuple(_plans(clip, consume)),
            "clip right before the step",
        )


def _plans(clip: Clip, consume: Consume) -> Iterator[Plan]:
    if not clip.movable or clip.site.function is not consume.site.function:
        return
    if clip.launcher:
        test = f"{clip.launcher}.sync_gradients"
        yield Plan(f"Guard with `if {test}:`", (GuardBy(clip.site, test),))
    elif all(guard.decided for guard in clip.site.guards):  # or its own reason would stay behind
        yield Plan("Move the clip in front of the step", (MoveBefore(clip.site, consume.site),))
