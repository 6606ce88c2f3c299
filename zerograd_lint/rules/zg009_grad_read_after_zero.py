from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Read
from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..ledger.automata.presence import Buffer
from ..vocabulary.calls import Effect
from .rule import Line, Rule


class GradReadAfterZero(Rule):
    """
    ## What it does

    Finds uses of `.grad` after a zeroing that set it to `None` and before the next backward, and
    clipping at that time.

    ## Why is this bad?

    Since torch 2.0 `zero_grad()` sets gradients to `None`. Code that logs them afterwards fails
    with an AttributeError or a TypeError; a clip finds nothing to cut down, and what the next
    backward computes is applied as it is.

    ## Fix safety

    There is no fix: read or clip the gradient before it is cleared, or clear it later.
    """

    code = "ZG009"
    name = "grad-read-after-zero"
    summary = "`.grad` is used after `zero_grad()` set it to `None` and before the next backward"
    needs = (
        Effect.EMPTIED | Effect.NEEDED | Effect.IRREGULAR,
        Effect.ZERO | Effect.CLIP | Effect.CONSUME | Effect.IRREGULAR,
    )
    proof = "differs"
    example = "gradient_norm"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        yield from self._read(analysis, line)
        yield from self._clipped(analysis, line)

    def _clipped(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        reported = set()
        for account in analysis.accounts:
            for clip, states in account.clips.of_nothing.items():
                zero = states[0].emptied
                if zero is None or clip in reported:
                    continue
                reported.add(clip)
                yield Report(
                    clip,
                    f"nothing is clipped here: line {line(zero)} has cleared the gradients and no "
                    "backward has come since",
                    ((zero, "this zeroing leaves nothing to clip"),),
                    advice="clip between the backward and the step",
                )

    def _read(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for log in analysis.buffers:
            for event, states in log.arrivals.items():
                if not isinstance(event, Read) or not log.is_always_reached(event) or not states:
                    continue
                if any(state.buffer is not Buffer.SET_TO_NONE for state in states):
                    continue
                zero = next(s.emptied for s in states if s.emptied is not None)
                yield Report(
                    event,
                    f"{event.spelling}.grad is None here: line {line(zero)} has set it to None and "
                    "no backward has come since",
                    ((zero, "this zeroing leaves None behind"),),
                    advice="read it before it is cleared",
                )
