from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Event, Read, Zero
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
    that reads them in between would notice.
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
            if not isinstance(event, Zero) or not event.shorter or _is_read(event, analysis, line):
                continue
            yield Report(
                event,
                f"this clears gradients tensor by tensor: {event.shorter} sets them to None "
                "at once",
                (),
                Plan(
                    f"Call `{event.shorter}`", (Replace(event.loop or event.site, event.shorter),)
                ),
                event.loop,
            )


def _is_read(event: Event, analysis: Analysis, line: Line) -> bool:
    """Gradients read right after the zeroing must stay tensors."""
    return any(
        isinstance(other, Read)
        and other.needs_buffer
        and other.site.function is event.site.function
        and line(other) > line(event)
        for other in analysis.events
    )
