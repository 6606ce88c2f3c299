from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Zero, needs_buffer
from ..fixing.plan import Plan, Replace, Report
from ..ledger.analysis import Analysis
from ..vocabulary.calls import Effect
from .rule import Line, Rule


class SlowZeroing(Rule):
    """
    ## What it does

    Finds `set_to_none=False`, and hand-written zeroing loops where `zero_grad()` would do.

    ## Why is this bad?

    Setting gradients to `None` saves a kernel launch and a buffer per parameter and iteration.

    ## Fix safety

    The fix calls `zero_grad()`. It is unsafe: gradients become `None` instead of zero, which code
    in other files that reads them in between would notice.
    """

    code = "ZG904"
    name = "slow-zeroing"
    summary = "`set_to_none=False`, or a hand-written loop, where `zero_grad()` would do"
    on_by_default = False
    needs = (Effect.ZERO,)
    proof = "same"
    example = "set_to_none_false"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for event in analysis.events:
            if not isinstance(event, Zero) or not event.shorter or _is_needed(event, analysis):
                continue
            yield Report(
                event,
                f"this clears gradients tensor by tensor: {event.shorter} sets them to None "
                "at once",
                (),
                (
                    Plan(
                        f"Call `{event.shorter}`",
                        (Replace(event.loop or event.site, event.shorter),),
                    ),
                ),
                place=event.loop,
            )


def _is_needed(zero: Zero, analysis: Analysis) -> bool:
    """Where anything else works on the buffers by hand, it may need them to be there."""
    return any(needs_buffer(other) for other in analysis.events if other is not zero)
