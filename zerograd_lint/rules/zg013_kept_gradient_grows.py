"""ZG013: gradients are gathered one by one, but nothing clears them in between."""

from __future__ import annotations

from collections.abc import Iterator

from ..events.event import Keep
from ..fixing.plan import Report
from ..ledger.analysis import Analysis
from ..ledger.automata.shared_buffers import SharedLog
from ..vocabulary.calls import Effect
from .rule import Line, Rule
from .shared.grown_buffers import grown_buffers, report_grown


class KeptGradientGrows(Rule):
    """
    ## What it does

    Finds loops that run a backward for every class, output or sample and keep the `.grad` of a
    tensor each time, in a list, a table or a sum, but never clear it.

    ## Why is this bad?

    A backward adds to `.grad`. The first gradient that is kept is right, the second is the sum of
    two, the third of three: saliency maps and rows of a Jacobian all look like one another. A list
    of `x.grad` itself even holds one and the same buffer many times.

    ## Fix safety

    The fix lets go of the buffer with `x.grad = None` behind the statement that keeps it. It is
    unsafe: it changes what the program computes.
    """

    code = "ZG013"
    name = "kept-gradient-grows"
    summary = "a tensor's `.grad` is kept for each of several backwards, but never cleared"
    needs = (Effect.DEPOSIT | Effect.SHARED,)
    proof = "differs"
    example = "saliency_per_class"

    def check(self, analysis: Analysis, line: Line) -> Iterator[Report]:
        for log, event in grown_buffers(analysis):
            if isinstance(event, Keep) and _is_only_kept(log, analysis):
                yield report_grown(
                    event,
                    f"{event.spelling}.grad is kept for every backward, and nothing clears it in "
                    "between: each one that is kept is the sum of all before it",
                )


def _is_only_kept(log: SharedLog, analysis: Analysis) -> bool:
    """A tensor of one's own that nothing else applies: what a step applies is another matter."""
    owner = log.owner
    applied = [part for a in analysis.accounts for part in (a.owner.ref, *(a.owner.covers or ()))]
    return owner.bare_tensor and not any(owner.ref.overlaps(part) for part in applied)
