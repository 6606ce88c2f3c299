from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Keep
from ..fixing.plan import InsertAfter, Plan, Report
from ..ledger.analysis import Analysis
from ..ledger.automata.shared_buffers import Content
from ..vocabulary.calls import Effect
from .rule import Line, Rule


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
        for log in analysis.shared:
            for event, states in log.arrivals.items():
                again = [
                    state
                    for state in states
                    if state.since is event and not (state.left_loop or state.across_calls)
                ]
                if (
                    isinstance(event, Keep)
                    or not again
                    or any(state.content is not Content.GROWN for state in again)
                ):
                    continue
                code = f"{event.spelling}.grad = None"
                yield Report(
                    event,
                    f"this shares the buffer of {event.spelling}.grad, and nothing clears it "
                    "there: zero_grad() on the other owner only drops its own reference, so each "
                    "step applies the sum of all gradients so far",
                    (),
                    (Plan(f"Insert `{code}`", (InsertAfter(event.site, code),)),),
                    f"add {code} after it",
                )
