"""Runs of a random program under the audit, and whether they show what a finding says."""

from __future__ import annotations

import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import zerograd_lint
from zerograd_lint import Finding
from zerograd_lint.runtime import AuditReport
from zerograd_lint.runtime.compare.proof import CRASHES, kinds_of, proof_of

from .sample import MAIN, Sample

_ONLY_BY_COMPARISON = frozenset({"ZG011", "ZG012", "ZG013"})
"""Rules whose bugs the audit cannot see, but a corrected twin shows."""
_ONE_FAMILY = frozenset({"stale", "wiped", "defeated", "unfed"})
"""Of a step that clears too early or too late, which of them is seen depends on the batch."""
_LINE = re.compile(r"\bline (\d+)")
_NEVER_BACKWARD = "computed for nothing"
"""Batches that never go backward leave the audit nothing to see."""
_NOTHING_TO_APPLY = "No inf checks were recorded"
"""What a scaler says when its optimizer has no gradients."""


@dataclass(frozen=True)
class Run:
    """One run, in one configuration."""

    arguments: tuple[str, ...]
    report: AuditReport
    error: str = ""

    @property
    def kinds(self) -> set[str]:
        """What went wrong in it."""
        crash = {"wiped" if _NOTHING_TO_APPLY in self.error else "crash"} if self.error else set()
        return self.report.kinds() | crash

    @property
    def words(self) -> list[str]:
        seen = [f"{each.kind} at {each.site.line}" for each in self.report.observations]
        return [*seen, self.error] if self.error else seen

    def shows(self, finding: Finding, path: Path) -> bool:
        """Whether what the finding says happened here, on a line it names."""
        if finding.code in _ONLY_BY_COMPARISON or _NEVER_BACKWARD in finding.message:
            return True
        proof = proof_of(finding.code)
        if proof in CRASHES or self.error:
            return bool(self.error)
        kinds = _ONE_FAMILY if proof in _ONE_FAMILY else set(kinds_of(proof))
        lines = {finding.line, *(each.span.start.line for each in finding.related)}
        lines |= set(map(int, _LINE.findall(finding.message)))
        for each in self.report.observations:
            sites = [site for site in (each.site, each.deposit) if site is not None]
            here = any(Path(site.file) != path or site.line in lines for site in sites)
            if here and each.kind in kinds:
                return True
        return False


def runs_of(sample: Sample, folder: Path) -> list[Run]:
    """The program that is written there, run in each of its configurations."""
    return [_run(sample, folder, arguments) for arguments in sample.runs]


def run_alone(text: str) -> Run:
    """A program of one file that takes no arguments."""
    with tempfile.TemporaryDirectory() as folder:
        return _run(Sample({MAIN: text}), Path(folder).resolve(), ())


def _run(sample: Sample, folder: Path, arguments: tuple[str, ...]) -> Run:
    path = folder / MAIN
    code = compile(sample.files[MAIN], str(path), "exec")
    before = sys.argv, list(sys.path)
    sys.argv, sys.path = [str(path), *arguments], [str(folder), *sys.path]
    error = ""
    try:
        with zerograd_lint.audit() as report:
            try:
                exec(code, {"__name__": "__main__", "__file__": str(path)})
            except (RuntimeError, AssertionError) as raised:
                error = str(raised) or type(raised).__name__
    finally:
        sys.argv, sys.path = before
        for file in sample.files:
            sys.modules.pop(Path(file).stem, None)
    return Run(arguments, report, error)
