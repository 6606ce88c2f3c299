"""What a confirmed finding did to training, in words: to its steps, and to the loss in the end."""

from __future__ import annotations

from ..observation import AuditReport, Observation
from ..wording import shown
from .settle import Settled
from .verdicts import CONFIRMED

_MUCH = 1.1
"""Losses closer than this factor are not worth a word."""


def settled_in_words(settled: Settled) -> str | None:
    """How wrong the steps of a confirmed finding were, and what became of the loss."""
    words = [each.in_words() for each in nearest_evidence(settled)]
    if settled.verdict == CONFIRMED and settled.fixed is not None:
        words.append(loss_in_words(settled.original.report, settled.fixed.report))
    return "; ".join(filter(None, words)) or None


def nearest_evidence(settled: Settled) -> list[Observation]:
    """The measured observation nearest to a confirmed finding, if there is one."""
    if settled.verdict != CONFIRMED:
        return []
    seen = [each for each in settled.original.report.observations if each.worst is not None]
    return sorted(seen, key=lambda each: abs(each.site.line - settled.finding.line))[:1]


def loss_in_words(original: AuditReport, fixed: AuditReport) -> str | None:
    """How the loss ended and how with the fix; None where that says nothing."""
    before, after = _ends(original), _ends(fixed)
    for owner, repaired in after.items():
        if repaired is not None and before.get(owner, repaired) is None:
            return f"the loss ended as no number at all instead of {shown(repaired)}"
    worse = [
        (as_it_is / repaired, as_it_is, repaired)
        for owner, repaired in after.items()
        if repaired and (as_it_is := before.get(owner)) and as_it_is > _MUCH * repaired > 0
    ]
    if not worse:
        return None  # a bug may well look better on the last batch
    _, as_it_is, repaired = max(worse)
    return f"the loss ended at {shown(as_it_is)} instead of {shown(repaired)}"


def _ends(report: AuditReport) -> dict[float | None, float | None]:
    """The last loss of each optimizer that has any."""
    numbers = {point["owner"] for point in report.curve if point["loss"] is not None}
    return {each["owner"]: each["loss"] for each in report.curve if each["owner"] in numbers}
