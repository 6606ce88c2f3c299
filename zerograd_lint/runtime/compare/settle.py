"""Settles findings: runs the program with and without each fix, and compares the gradients."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from ...finding import Finding
from ..running.program_pool import Program, ProgramPool
from ..running.run_outcome import RunOutcome
from .gradient_difference import SMALLEST_EFFECT, Difference, difference_between
from .proof import CRASHES, proof_of, seen_by_audit
from .verdicts import CONFIRMED, INCONCLUSIVE, NEGLIGIBLE, NOT_REACHED, REFUTED

_NOISE_FACTOR = 10
_ROUNDING = 1e-6


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
    findings: list[Finding]
    original: Future[RunOutcome]
    again: Future[RunOutcome]
    fixed: list[Future[RunOutcome] | None]


def start(
    path: Path, text: str, findings: list[Finding], arguments: Iterable[str], runner: ProgramPool
) -> Runs:
    """Start all the runs that this file needs."""
    from ...fixing.apply import apply

    script = path.resolve()
    words = tuple(arguments)
    fixed: list[Future[RunOutcome] | None] = []
    for finding in findings:
        corrected = apply(text, [finding], unsafe=True)
        program = Program(script, words, replaced={str(script): corrected.text})
        fixed.append(runner.start(program) if corrected.count else None)
    return Runs(
        path,
        findings,
        runner.start(Program(script, words)),
        runner.start(Program(script, words, watched_file=str(script))),
        fixed,
    )


def settle(runs: Runs) -> list[Settled]:
    """The verdict on every finding of one file."""
    original, again = runs.original.result(), runs.again.result()
    settled = []
    for finding, future in zip(runs.findings, runs.fixed, strict=True):
        fixed = future.result() if future is not None else None
        verdict, evidence = _verdict(finding, original, again, fixed)
        settled.append(Settled(runs.path, finding, verdict, evidence, original, fixed))
    return settled


def _verdict(
    finding: Finding, original: RunOutcome, again: RunOutcome, fixed: RunOutcome | None
) -> tuple[str, str]:
    proof = proof_of(finding.code)
    last = max(finding.line, finding.span.end.line)
    reached = any(line in again.executed for line in range(finding.line, last + 1))
    audited = seen_by_audit(proof, original, finding.line) if proof != "differs" else None
    if not reached:
        why = original.reason
        return NOT_REACHED, "its line was not executed" + (f" ({why})" if why else "")
    if proof in CRASHES and audited:
        return CONFIRMED, audited
    if original.reason and audited is None and not original.report.steps:
        return INCONCLUSIVE, original.reason
    if fixed is None:
        if audited:
            return CONFIRMED, audited
        if proof in ("differs", "same"):
            return INCONCLUSIVE, "it has no fix to compare with, and the audit cannot see it"
        if original.reason:
            return INCONCLUSIVE, original.reason
        return REFUTED, f"{original.report.steps} steps were watched and nothing of it was seen"
    return _compared(proof, audited, original, again, fixed)


def _compared(
    proof: str, audited: str | None, original: RunOutcome, again: RunOutcome, fixed: RunOutcome
) -> tuple[str, str]:
    if fixed.reason and not fixed.report.steps:
        return INCONCLUSIVE, f"with the fix applied, {fixed.reason}"
    noise = difference_between(original.vectors, again.vectors)
    difference = difference_between(original.vectors, fixed.vectors)
    cut_short = None in (original.returncode, again.returncode, fixed.returncode)
    if (noise.missing_steps and not cut_short) or noise.size * _NOISE_FACTOR > 1:
        return INCONCLUSIVE, "the program is not repeatable: two runs of it differ as well"
    evidence = f"with the fix it {difference.sentence()}"
    if audited:
        evidence = f"{audited}; {evidence}"
    is_real = _is_real(difference, noise, cut_short)
    unfinished = original.reason or fixed.reason
    if unfinished and not is_real:
        return INCONCLUSIVE, unfinished
    if proof == "same":
        return (REFUTED if is_real else CONFIRMED), evidence
    if is_real:
        return CONFIRMED, evidence
    if difference.size > _ROUNDING:
        return NEGLIGIBLE, evidence
    return REFUTED, evidence


def _is_real(difference: Difference, noise: Difference, cut_short: bool) -> bool:
    """Runs killed at their time limit may well have come to different ends."""
    if difference.missing_steps and not cut_short:
        return True
    return difference.size > max(SMALLEST_EFFECT, _NOISE_FACTOR * noise.size)
