"""Settles findings: runs the program with and without each fix, and compares the gradients."""

from __future__ import annotations

import os
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from ...finding import Finding
from ..running.program import Program
from ..running.program_pool import ProgramPool
from ..running.run_outcome import RunOutcome
from .before_and_after import crash_gone, observation_gone
from .gradient_difference import SMALLEST_EFFECT, Difference, difference_between
from .proof import CRASHES, proof_of, seen_by_audit
from .verdicts import CONFIRMED, INCONCLUSIVE, NEGLIGIBLE, NOT_REACHED, REFUTED

_NOISE_FACTOR = 10
_ROUNDING = 1e-6
_UNSEEN_BY_AUDIT = ("differs", "same")


@dataclass(frozen=True, slots=True)
class Settled:
    """A finding with its verdict and the two runs behind it."""

    path: Path
    finding: Finding
    verdict: str
    evidence: str
    original: RunOutcome
    fixed: RunOutcome | None = None


@dataclass(frozen=True, slots=True)
class Runs:
    """The runs one file needs: as it is, once more, and once for each finding that has a fix."""

    path: Path
    text: str
    findings: list[Finding]
    program: Program
    original: Future[RunOutcome]
    again: Future[RunOutcome]
    fixed: list[Future[RunOutcome] | None]


def start(
    path: Path, text: str, findings: list[Finding], program: Program, pool: ProgramPool
) -> Runs:
    """Start all the runs of the program that the findings in this file need."""
    from ...fixing.apply import apply

    file = str(path.resolve())
    fixed: list[Future[RunOutcome] | None] = []
    for finding in findings:
        corrected = apply(text, [finding], unsafe=True)
        changed = program.with_text(file, corrected.text)
        fixed.append(pool.start(changed) if corrected.count else None)
    original, again = pool.start(program), pool.start(program.watching(file))
    return Runs(path, text, findings, program, original, again, fixed)


def settle(runs: Runs, pool: ProgramPool) -> list[Settled]:
    """The verdict on every finding of one file."""
    original, again = runs.original.result(), runs.again.result()
    late = []
    if again.report.stopped_early and runs.program.steps is None:
        late = [each for each in runs.findings if not _is_reached(each, again)]
    settled = _settle_late(runs, late, pool) if late else []
    for finding, future in zip(runs.findings, runs.fixed, strict=True):
        if finding in late:
            continue
        fixed = future.result() if future is not None else None
        evidence = _Evidence(finding, str(runs.path.resolve()), original, again, fixed)
        verdict, words = evidence.verdict()
        settled.append(Settled(runs.path, finding, verdict, words, original, fixed))
    return sorted(settled, key=lambda each: runs.findings.index(each.finding))


def _settle_late(runs: Runs, late: list[Finding], pool: ProgramPool) -> list[Settled]:
    """The verdicts on findings whose lines come only after the steps that were asked for."""
    watched = runs.program.watching(str(runs.path.resolve()))
    search = pool.start(watched.awaiting(*map(_lines, late))).result()
    words = f"its line was not executed in {search.report.steps} steps"
    never = [each for each in late if not _is_reached(each, search)]
    settled = [Settled(runs.path, each, NOT_REACHED, words, search) for each in never]
    reached = [each for each in late if each not in never]
    if not reached:
        return settled
    longer = runs.program.for_steps(search.report.steps)
    return settled + settle(start(runs.path, runs.text, reached, longer, pool), pool)


class _Evidence:
    """What the runs show about one finding."""

    def __init__(
        self,
        finding: Finding,
        file: str,
        original: RunOutcome,
        again: RunOutcome,
        fixed: RunOutcome | None,
    ) -> None:
        self._proof = proof_of(finding.code)
        self._original = original
        self._again = again
        self._fixed = fixed
        self._reached = _is_reached(finding, again)
        real = os.path.realpath(file)
        related = [each.span.start.line for each in finding.related]
        places = {(real, line) for line in (*_lines(finding), *related)}
        self._here = seen_by_audit(self._proof, original, places)
        self._anywhere = (
            None if self._proof in _UNSEEN_BY_AUDIT else seen_by_audit(self._proof, original)
        )

    def verdict(self) -> tuple[str, str]:
        """The verdict, and the evidence for it in words."""
        verdict, words = self._verdict()
        if verdict == REFUTED and self._original.report.scaler_switched_off:
            return INCONCLUSIVE, "its GradScaler was switched off in this run and scaled nothing"
        return verdict, words

    def _verdict(self) -> tuple[str, str]:
        original = self._original
        audited = self._here or self._anywhere
        if not self._reached:
            if original.failed:
                return INCONCLUSIVE, f"its line was not executed: {original.failed}"
            return NOT_REACHED, "its line was not executed"
        if audited and self._proof in CRASHES:
            return CONFIRMED, audited
        if self._here and original.report.crash is not None:
            return CONFIRMED, self._here
        if self._fixed is not None:
            crash = crash_gone(original, self._again, self._fixed)
            if crash is not None:
                return CONFIRMED, crash
        if original.failed and audited is None and not original.report.steps:
            return INCONCLUSIVE, original.failed
        return self._audited() if self._fixed is None else self._compared(self._fixed)

    def _audited(self, why: str = "") -> tuple[str, str]:
        """The verdict by the audit alone, where there is nothing to compare."""
        audited = self._here or ("" if why else self._anywhere)
        if audited:
            return CONFIRMED, audited + (f"; {why}" if why else "")
        # What the audit does not see, a comparison might have shown: it refutes nothing alone.
        if why or self._proof in _UNSEEN_BY_AUDIT or self._anywhere:
            return INCONCLUSIVE, why or "it has no fix to compare with, and the audit cannot see it"
        if self._original.reason:
            return INCONCLUSIVE, self._original.reason
        steps = self._original.report.steps
        return REFUTED, f"{steps} steps were watched and nothing of it was seen"

    def _unrepeatable(self, fixed: RunOutcome) -> tuple[str, str]:
        """The verdict where two runs of the program differ as well."""
        gone = observation_gone(self._proof, self._original, self._again, fixed)
        why = "two runs of the program differ, so there is nothing to compare"
        return (CONFIRMED, f"{gone}; {why}") if gone else self._audited(why)

    def _compared(self, fixed: RunOutcome) -> tuple[str, str]:
        original, again = self._original, self._again
        if fixed.reason and not fixed.report.steps:
            return self._audited(f"with the fix applied, {fixed.reason}")
        noise = difference_between(original.vectors, again.vectors)
        difference = difference_between(original.vectors, fixed.vectors)
        cut_short = None in (original.returncode, again.returncode, fixed.returncode)
        if (noise.missing_steps and not cut_short) or noise.size * _NOISE_FACTOR > 1:
            return self._unrepeatable(fixed)
        evidence = f"with the fix it {difference.sentence()}"
        audited = self._here or self._anywhere
        if audited:
            evidence = f"{audited}; {evidence}"
        is_real = _is_real(difference, noise, cut_short)
        unfinished = original.reason or fixed.reason
        if unfinished and not is_real:
            return INCONCLUSIVE, unfinished
        if self._proof == "same":
            return (REFUTED if is_real else CONFIRMED), evidence
        if is_real:
            return CONFIRMED, evidence
        if difference.size > _ROUNDING:
            return NEGLIGIBLE, evidence
        return (INCONCLUSIVE if self._here else REFUTED), evidence


def _lines(finding: Finding) -> range:
    return range(finding.line, max(finding.line, finding.span.end.line) + 1)


def _is_reached(finding: Finding, watched: RunOutcome) -> bool:
    return any(line in watched.executed for line in _lines(finding))


def _is_real(difference: Difference, noise: Difference, cut_short: bool) -> bool:
    """Runs killed at their time limit may well have come to different ends."""
    if difference.missing_steps and not cut_short:
        return True
    return difference.size > max(SMALLEST_EFFECT, _NOISE_FACTOR * noise.size)
