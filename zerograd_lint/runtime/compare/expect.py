"""Runs fixtures and checks that each behaves as it says: the bad ones wrong, the others right."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path

from ..running.program import Program
from ..running.program_pool import ProgramPool
from ..running.run_outcome import RunOutcome
from . import fixture
from .fixture import Fixture
from .gradient_difference import Difference, difference_between
from .proof import CRASHES, proof_of, seen_by_audit, seen_by_comparison
from .verdicts import CLEAN, CONFIRMED, FAILED, SKIPPED

_Runs = dict[Path, tuple[Future[RunOutcome], Future[RunOutcome]]]

_NO_EXCHANGE = "No backend type associated with device type"
"""What PyTorch says where processes cannot exchange the gradients of a device."""


@dataclass(frozen=True, slots=True)
class FixtureVerdict:
    """One fixture's verdict and the evidence for it."""

    fixture: Fixture
    verdict: str
    evidence: str
    outcome: RunOutcome | None = None
    twin: RunOutcome | None = None

    @property
    def agrees(self) -> bool:
        """Whether the fixture behaves as it says, as far as it could be run."""
        return self.verdict != FAILED


def check_fixtures(
    paths: Iterable[Path], pool: ProgramPool, progress: Callable[[int, int], None]
) -> list[FixtureVerdict]:
    """Run every fixture twice and judge.

    A wrong program is run again as it is, and must repeat itself; it must differ from its twin.
    A right one is run again with every applied gradient cleared for it, and must not differ.
    """
    fixtures = fixture.find(paths)
    runs: _Runs = {}

    def start(path: Path, *, right: bool) -> None:
        if path not in runs:
            program = Program(path.resolve())
            runs[path] = (pool.start(program), pool.start(replace(program, enforce=right)))

    for each in fixtures:
        if not each.missing:
            start(each.path, right=each.kind != fixture.BAD)
            if each.kind == fixture.BAD and each.twin is not None:
                start(each.twin, right=True)
    verdicts = []
    for each in fixtures:
        verdicts.append(_judge(each, runs))
        progress(len(verdicts), len(fixtures))
    return verdicts


def _judge(each: Fixture, runs: _Runs) -> FixtureVerdict:
    if each.missing:
        return FixtureVerdict(each, SKIPPED, f"needs {', '.join(each.missing)}, not installed")
    outcome, again = (run.result() for run in runs[each.path])
    if outcome.returncode is None:
        return FixtureVerdict(each, FAILED, outcome.reason or "killed", outcome)
    crash = outcome.report.crash
    if crash is not None and crash.message.startswith(_NO_EXCHANGE):
        return FixtureVerdict(each, SKIPPED, f"cannot be run there: {crash.message}", outcome)
    again_differs = difference_between(outcome.vectors, again.vectors)
    if each.kind != fixture.BAD:
        return _judge_right(each, outcome, again_differs)
    if again_differs.matters:
        unsteady = f"not repeatable: run again, it {again_differs.sentence()}"
        return FixtureVerdict(each, FAILED, unsteady, outcome)
    twin_path = each.twin
    if twin_path is None:
        return FixtureVerdict(each, FAILED, "has neither a .fixed.py nor an ok_ twin", outcome)
    if not each.expected:
        return FixtureVerdict(each, FAILED, "expects nothing: no '# expect:' in it", outcome)
    twin = runs[twin_path][0].result()
    return _judge_wrong(each, outcome, twin)


def _judge_right(each: Fixture, outcome: RunOutcome, enforced: Difference) -> FixtureVerdict:
    if outcome.report.observations:
        return FixtureVerdict(each, FAILED, outcome.report.observations[0].sentence(), outcome)
    if outcome.returncode != 0:
        return FixtureVerdict(each, FAILED, outcome.reason or "did not end well", outcome)
    if enforced.matters:
        changed = f"with applied gradients cleared for it, it {enforced.sentence()}"
        return FixtureVerdict(each, FAILED, changed, outcome)
    steps = outcome.report.steps
    evidence = f"{steps} steps" if steps else "takes no step, as it is meant to"
    return FixtureVerdict(each, CLEAN, evidence, outcome)


def _judge_wrong(each: Fixture, outcome: RunOutcome, twin: RunOutcome) -> FixtureVerdict:
    if twin.returncode != 0:
        return FixtureVerdict(each, FAILED, f"its twin fails: {twin.reason}", outcome, twin)
    difference = difference_between(outcome.vectors, twin.vectors)
    evidence: list[str] = []
    for code in each.expected:
        proof = proof_of(code)
        found = _evidence(proof, outcome, difference)
        if not found:
            wanted = f"{code} promises {proof!r}" if proof else code
            nothing = f"{wanted}, but nothing of it was seen; the twin {difference.sentence()}"
            return FixtureVerdict(each, FAILED, nothing, outcome, twin)
        evidence += [text for text in found if text not in evidence]
    unexplained = outcome.returncode != 0 and outcome.report.crash is None
    if unexplained:
        return FixtureVerdict(each, FAILED, outcome.reason or "did not end well", outcome, twin)
    return FixtureVerdict(each, CONFIRMED, "; ".join(evidence), outcome, twin)


def _evidence(proof: str, outcome: RunOutcome, difference: Difference) -> list[str]:
    if proof == "same":
        clean = not difference.matters and not outcome.report.observations
        return ["the corrected twin consumes the same gradients"] if clean else []
    audited = seen_by_audit(proof, outcome)
    if proof in CRASHES:
        return [audited] if audited else []
    compared = seen_by_comparison(difference)
    return [text for text in (audited, compared) if text]
