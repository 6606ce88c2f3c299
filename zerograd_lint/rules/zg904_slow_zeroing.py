from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Event, Kind
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
            if event.kind is not Kind.ZERO or not event.slow or _is_read(event, analysis, line):
                continue
            yield Report(
                event,
                f"this clears gradients tensor by tensor: {event.slow} sets them to None at once",
                (),
                Plan(f"Call `{event.slow}`", (Replace(event.whole or event.site, event.slow),)),
                event.whole,
            )


def _is_read(event: Event, analysis: Analysis, line: Line) -> bool:
    """Gradients read right after the zeroing must stay tensors."""
    return any(
        other.kind is Kind.READ
        and other.needs_buffer
        and other.site.function is event.site.function
        and line(other) > line(event)
        for other in analysis.events
    )
