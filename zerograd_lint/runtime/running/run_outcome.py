"""The outcome of one run of a program, put together from the reports of its processes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..child.audit_request import AUTO
from ..observation import AuditReport, Crash, Observation
from ..wording import counted

_TAIL_LINES = 15
_TAIL_BYTES = 65_536
_HINTS = {
    "attempted relative import with no known parent package": (
        "it is a module of a package: run it with -m package.module"
    ),
    "EOF when reading a line": "it reads standard input: let it, with --stdin",
}
"""What to do about a crash that comes of how the program was started, by its message."""


@dataclass(slots=True)
class RunOutcome:
    """What the audit of one run saw, and how the run ended."""

    report: AuditReport
    returncode: int | None
    """None when the program was killed at its time limit."""
    output: str = ""
    """The end of what the program printed."""
    problem: str | None = None
    """Why the program could not be audited at all."""
    unfinished: bool = False
    """Whether one of its processes trained, and was killed before it could report."""
    interrupted: bool = False
    """Whether the user ended it."""
    executed: frozenset[int] = frozenset()
    """The lines of the watched file that ran."""
    vectors: dict[str, Any] = field(default_factory=dict)
    """The consumed gradients, by optimizer and step, where they were traced."""

    @property
    def reason(self) -> str | None:
        """Why the run does not count as a whole, in one line; None if it does."""
        if self.failed is None and self.report.steps == 0:
            return "the program ended without a single optimizer step"
        return self.failed

    @property
    def failed(self) -> str | None:
        """Why the run did not come to its own end, in one line; None if it did."""
        if self.problem is not None:
            return self.problem
        if self.report.failure is not None:
            return f"the audit itself failed: {self.report.failure}"
        if self.interrupted:
            return f"interrupted {self._after}, and all it started was ended"
        if self.returncode is None:
            return f"killed at the time limit {self._after}"
        if self.returncode != 0:
            return self._crash_reason()
        if self.unfinished:
            return "a process of the program that trained was killed before its end"
        return None

    def _crash_reason(self) -> str:
        crash = self.report.crash
        if crash is None:
            code = self.returncode or 0
            how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
            return f"the program ended {how} {self._after}"
        place = f" at {crash.site}" if crash.site else ""
        words = f"the program crashed {self._after}: {crash.type}: {crash.message}{place}"
        hint = _HINTS.get(crash.message)
        return f"{words}; {hint}" if hint else words

    @property
    def _after(self) -> str:
        return f"after {counted(self.report.steps, 'step')}"

    def tail(self) -> str:
        """The last lines of the program's output."""
        return "\n".join(self.output.splitlines()[-_TAIL_LINES:])


def collect(
    folder: Path,
    returncode: int | None,
    output: str,
    *,
    device: str,
    named: Callable[[str], str] = str,
) -> RunOutcome:
    """Read what the processes of a run left in its folder, files `named` as the user knows them."""
    paths = sorted(folder.glob("*.json"))
    documents = [{**json.loads(named(path.read_text())), "path": path} for path in paths]
    documents.sort(key=lambda each: (each["rank"], -_steps(each)))
    reports = [AuditReport.from_json(each["report"]) for each in documents if each["report"]]
    report = merged(reports)
    outcome = RunOutcome(report, returncode, named(output))
    outcome.problem = next((each["problem"] for each in documents if each["problem"]), None)
    outcome.unfinished = not all(each["finished"] for each in documents)
    outcome.executed = frozenset(line for each in documents for line in each["executed"])
    is_elsewhere = device != AUTO and device.partition(":")[0] not in report.devices
    if outcome.problem is None and is_elsewhere and report.steps:
        outcome.problem = f"--device {device}: no gradient was there"
    if outcome.problem is None and returncode == 0 and not reports:
        outcome.problem = "the program never imported torch"
    for document in documents:
        archive = document["path"].with_suffix(".npz")
        if document["report"] and archive.exists():
            outcome.vectors = _vectors(archive)
            break
    return outcome


def read_tail(log: Path) -> str:
    """The end of a program's output, which may be larger than memory."""
    try:
        with log.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _TAIL_BYTES))
            return file.read().decode(errors="replace")
    except FileNotFoundError:
        return ""


def _steps(document: dict[str, Any]) -> int:
    return int(document["report"]["steps"]) if document["report"] else 0


def _vectors(archive: Path) -> dict[str, Any]:
    import numpy

    with numpy.load(archive) as arrays:
        return {name: arrays[name] for name in arrays.files}


def merged(reports: list[AuditReport]) -> AuditReport:
    """One report for all processes; the same bug in several ranks counts once."""
    total = AuditReport()
    seen: dict[tuple[object, ...], Observation] = {}
    crash: Crash | None = None
    for report in reports:
        for each in report.observations:
            key = (each.kind, each.site, each.owner)
            known = seen.get(key)
            if known is None or each.steps_affected > known.steps_affected:
                seen[key] = each
        total.steps = max(total.steps, report.steps)
        total.backwards = max(total.backwards, report.backwards)
        total.devices = sorted({*total.devices, *report.devices})
        total.stopped_early |= report.stopped_early
        total.scaler_switched_off |= report.scaler_switched_off
        total.curve = total.curve or report.curve
        total.failure = total.failure or report.failure
        total.notes += [note for note in report.notes if note not in total.notes]
        crash = crash or report.crash
    total.observations = sorted(seen.values(), key=lambda each: (each.site.file, each.site.line))
    total.crash = crash
    return total
