from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Keep
from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.grown_buffers import grown_buffers, report_grown


class AliasedGradientGrows(Rule):
    """
    ## What it does

    Finds `p.grad = q.grad` in a loop that never clears `q`.

    ## Why is this bad?

    The assignment copies nothing: both tensors hold one buffer. Since torch 2.0 `zero_grad()` on
    the optimizer of `p` sets `p.grad` to `None` and leaves the buffer with `q`, whose next backward
    adds to it. Each step applies the sum of all gradients since the start. Programs that copy the
    gradients of a worker to a shared network, such as A3C, relied on the older `zero_grad()`.

    ## Fix safety

    The fix lets go of the buffer with `q.grad = None` behind the assignment. It is unsafe: it
    changes what the program computes.
    """

    code = "ZG012"
    name = "aliased-gradient-grows"
    summary = "`p.grad = q.grad` shares a buffer that `zero_grad()` leaves with `q`, where it grows"
    needs = (Effect.DEPOSIT | Effect.SHARED,)
    proof = "differs"
    example = "worker_and_shared"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for _, event in grown_buffers(analysis):
            if not isinstance(event, Keep):
                yield report_grown(
                    event,
                    f"this shares the buffer of {event.spelling}.grad, and nothing clears it "
                    "there: zero_grad() on the other owner only drops its own reference, so each "
                    "step applies the sum of all gradients so far",
                )
