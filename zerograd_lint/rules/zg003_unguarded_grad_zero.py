from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Zero
from ..fixing.plan import GuardBy, Plan, Report
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect
from .rule import Line, Rule


class UnguardedGradZero(Rule):
    """
    ## What it does

    Finds `p.grad.zero_()` where `p.grad` can still be `None`: before the first backward, or after
    a zeroing that set it to `None`.

    ## Why is this bad?

    `None` has no `zero_()`: the first iteration ends in an AttributeError.

    ## Fix safety

    The fix puts the call under `if p.grad is not None:`. It is safe: where there is a gradient,
    nothing changes.
    """

    code = "ZG003"
    name = "unguarded-grad-zero"
    summary = "`p.grad.zero_()` where `.grad` can still be `None`"
    needs = (Effect.DEPOSIT | Effect.IN_PLACE,)
    proof = "none-crash"
    example = "raw_tensors"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for log in analysis.buffers:
            if not log.filled:
                continue
            for event, states in log.arrivals.items():
                if not isinstance(event, Zero) or not log.is_always_reached(event):
                    continue
                missing = log.missing(event)
                certain = all(s.came_round or s in missing for s in states)
                if not missing or not certain:
                    continue
                name = f"{event.spelling}.grad"
                emptied = missing[0].emptied
                why = (
                    f"it was set to None on line {line(emptied)}"
                    if emptied is not None
                    else "no backward has filled it yet"
                )
                yield Report(
                    event,
                    f"{name} is None here on the first pass ({why}) and has no zero_()",
                    (),
                    (
                        Plan(
                            f"Guard with `if {name} is not None:`",
                            (GuardBy(event.site, f"{name} is not None"),),
                            safe=True,
                        ),
                    ),
                    f"guard it with 'if {name} is not None'",
                )
