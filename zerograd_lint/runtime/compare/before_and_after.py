"""What every run of a program shows and its corrected run does not, whatever the gradients are."""

from __future__ import annotations

from ..observation import AuditReport, Observation
from ..running.run_outcome import RunOutcome
from .proof import kinds_of, words_on


def crash_gone(original: RunOutcome, again: RunOutcome, fixed: RunOutcome) -> str | None:
    """The crash of both runs that the fix takes away; None if there is none."""
    crash, repeated = original.report.crash, again.report.crash
    if fixed.reason or crash is None or repeated is None or crash.type != repeated.type:
        return None
    return f"crashes with {crash.type}: {crash.message}; with the fix it does not"


def observation_gone(
    proof: str, original: RunOutcome, again: RunOutcome, fixed: RunOutcome
) -> str | None:
    """What the audit saw of this proof in both runs and not with the fix; None if there is none."""
    if fixed.reason:
        return None
    repeated, left = _keys(again.report), _keys(fixed.report)
    for each in original.report.observations:
        key = _key(each)
        if each.kind in kinds_of(proof) and key in repeated and key not in left:
            return f"{words_on(each)}; with the fix nothing of it is seen"
    return None


def _keys(report: AuditReport) -> set[tuple[object, ...]]:
    return {_key(each) for each in report.observations}


def _key(observation: Observation) -> tuple[object, ...]:
    """Without the line, which a fix may well have moved."""
    return observation.kind, observation.owner, observation.optimizer
