"""What the runtime proof of a rule must show, and whether a run shows it.

A rule's `proof` is a kind of the audit's observations (`stale`, `wiped`, `defeated`, `unfed`,
`leak`, `scaled`, `none-crash`), or `crash` for a program that fails in another way, or `differs`
for what only a comparison with the corrected program is sure to show, or `same` where that must
not show any.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Container

from ..observation import Observation
from ..running.run_outcome import RunOutcome
from ..wording import counted
from .gradient_difference import Difference

Places = Container[tuple[str, int]]
"""Lines of files, which are given by their real paths."""

CRASHES = ("crash", "none-crash")

_ALSO = {
    # A step that runs before its backward finds nothing, or what was there has been cleared.
    "unfed": ("unfed", "wiped"),
    # What only the comparison is sure to show, the audit may well see.
    "differs": ("stale", "wiped", "defeated", "unfed", "leak", "scaled", "none-crash"),
}


@functools.cache
def proof_of(code: str) -> str:
    """What a rule's runtime proof must show, as the rule itself declares it."""
    from ...rules.registry import all_rules

    rule = all_rules().get(code)
    return rule.proof if rule is not None else ""


def kinds_of(proof: str) -> tuple[str, ...]:
    """The kinds of observation that show this proof."""
    return _ALSO.get(proof, (proof,))


def seen_by_audit(proof: str, outcome: RunOutcome, places: Places | None = None) -> str | None:
    """What the audit saw of this proof, in a few words; None when it saw nothing of it.

    With `places` only what it saw there counts, where a missing gradient may also crash a program
    whose rule promises something else.
    """
    if proof == "crash":
        return _crash(outcome)
    kinds = kinds_of(proof)
    if places is not None:
        kinds = (*kinds, "none-crash")
    for each in outcome.report.observations:
        here = places is None or (os.path.realpath(each.site.file), each.site.line) in places
        if here and (each.kind in kinds or proof == ""):
            return words_on(each)
    return None


def words_on(best: Observation) -> str:
    """What was observed, in a few words."""
    if best.kind == "none-crash":
        return f"crashes at line {best.site.line}: .grad was None"
    text = f"{best.kind} in {best.steps_affected} of {counted(best.steps_seen, 'step')}"
    if best.relative_error is not None:
        text += f", relative error {best.relative_error:.2g}"
    return text


def _crash(outcome: RunOutcome) -> str | None:
    crash = outcome.report.crash
    if crash is None:
        return None
    return f"crashes after {counted(outcome.report.steps, 'step')}: {crash.type}: {crash.message}"


def seen_by_comparison(difference: Difference | None) -> str | None:
    """What the comparison with the corrected twin showed, if it shows a difference."""
    if difference is None or not difference.matters:
        return None
    return f"the corrected twin {difference.sentence()}"
